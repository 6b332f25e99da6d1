import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { configurationDocument, DOCUMENT } from './document.ts'

// `pnpm docs:configuration`: writes docs/configuration.md.
writeFileSync(join(repositoryRoot, DOCUMENT), configurationDocument())
console.log(`${DOCUMENT} written`)
