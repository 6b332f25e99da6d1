import { expect, it } from 'vitest'
import { serviceNames } from '../../../packages/backing/src/service-names.ts'
import { sourceFolders } from './source-folders.ts'

it('a service is reloaded after a change of its own sources and of the packages it uses', () => {
  const folders = sourceFolders(serviceNames)
  expect(folders.get('services/chat/src')).toEqual(['chat'])
  expect(folders.get('gateway/src')).toEqual(['gateway'])
  expect(folders.get('packages/contracts/src')).toEqual([...serviceNames])
  expect(folders.get('packages/playhead/src')).toEqual([
    'catalogue',
    'stream-scheduler',
    'audience',
    'gateway',
  ])
  expect(folders.has('packages/testkit/src')).toBe(false)
})

it('a change concerns only the services that are reloaded', () => {
  const folders = sourceFolders(['chat'])
  expect([...new Set([...folders.values()].flat())]).toEqual(['chat'])
})
