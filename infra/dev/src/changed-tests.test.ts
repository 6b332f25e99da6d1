import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { browserTestsFor } from './changed-tests.ts'

const all = globSync('e2e/**/*.e2e.ts', { cwd: repositoryRoot })

it('a change of a feature runs the browser tests that are named after it', () => {
  expect(browserTestsFor(['web/src/features/chat/use-chat.ts'], all)).toEqual(['e2e/viewer/chat.e2e.ts'])
  expect(browserTestsFor(['web/src/features/users/api.ts'], all)).toEqual(['e2e/admin/admin-users.e2e.ts'])
  expect(browserTestsFor(['web/src/features/appearance/theme/api.ts'], all)).toEqual([
    'e2e/admin/admin-theme.e2e.ts',
  ])
  expect(browserTestsFor(['services/catalogue/src/features/playlists/x.ts'], all)).toEqual([
    'e2e/viewer/playlists.e2e.ts',
  ])
  expect(browserTestsFor(['services/stream-scheduler/src/takeover/x.ts'], all)).toEqual([
    'e2e/admin/takeover.e2e.ts',
  ])
})

it('a changed browser test is run itself, and a document runs none', () => {
  expect(browserTestsFor(['e2e/viewer/sync.e2e.ts'], all)).toEqual(['e2e/viewer/sync.e2e.ts'])
  expect(browserTestsFor(['README.md', 'infra/cli/src/main.ts'], all)).toEqual([])
})
