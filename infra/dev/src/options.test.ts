import { expect, it } from 'vitest'
import { serviceNames } from '../../../packages/backing/src/service-names.ts'
import { readOptions } from './options.ts'

it('reloads every service by default, and shows no log in full', () => {
  expect(readOptions([])).toEqual({ reloaded: serviceNames, shownInFull: [], inspected: [] })
  expect(readOptions(['--inspect', 'chat'])).toEqual({
    reloaded: serviceNames,
    shownInFull: [],
    inspected: ['chat'],
  })
})

it('reloads only the named services, and the inspected ones', () => {
  expect(readOptions(['--only', 'chat', '--inspect', 'auth'])).toEqual({
    reloaded: ['chat', 'auth'],
    shownInFull: ['chat'],
    inspected: ['auth'],
  })
})

it('names the services when one is unknown', () => {
  expect(() => readOptions(['--only', 'chta'])).toThrow('No service named chta: name one of auth, catalogue')
  expect(() => readOptions(['--olny', 'chat'])).toThrow('--olny')
})
