import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from './paths.ts'
import { gatewayNodeArgs } from './services.ts'

it('runs the gateway as its container does', () => {
  const dockerfile = readFileSync(join(repositoryRoot, 'infra/docker/Dockerfile'), 'utf8')
  expect(dockerfile).toContain(
    `CMD ${JSON.stringify(['node', ...gatewayNodeArgs, 'src/main.ts']).replaceAll(',', ', ')}`,
  )
})
