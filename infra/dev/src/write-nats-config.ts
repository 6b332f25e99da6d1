import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containerNatsConfig } from '@looptide/backing/nats/nats-config'
import { repositoryRoot } from '@looptide/backing/paths'

// `pnpm nats:config`: writes infra/nats/nats.conf and infra/nats/users.conf from the event subscriptions.
for (const [file, text] of Object.entries(containerNatsConfig())) {
  writeFileSync(join(repositoryRoot, 'infra/nats', file), text)
  console.log(`infra/nats/${file} written`)
}
