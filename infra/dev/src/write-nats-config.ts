import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containerNatsConfig } from '../../../packages/backing/src/nats/nats-config.ts'
import { repositoryRoot } from '../../../packages/backing/src/paths.ts'

// `pnpm nats:config`: writes infra/nats/nats.conf and infra/nats/users.conf from the event subscriptions.
for (const [file, text] of Object.entries(containerNatsConfig())) {
  writeFileSync(join(repositoryRoot, 'infra/nats', file), text)
  console.log(`infra/nats/${file} written`)
}
