import { readFile, writeFile } from 'node:fs/promises'
import { SECURITY_DOCUMENT, withTable } from './support/access/access-document.ts'

// `pnpm security:table`: prints the table of who may do what into docs/security.md.
await writeFile(SECURITY_DOCUMENT, withTable(await readFile(SECURITY_DOCUMENT, 'utf8')))
