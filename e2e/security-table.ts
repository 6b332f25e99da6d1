import { readFile, writeFile } from 'node:fs/promises'
import { ACCESS_DOCUMENT, withTable } from './support/access/access-document.ts'

// `pnpm security:table`: prints the table of who may do what into docs/access.md.
await writeFile(ACCESS_DOCUMENT, withTable(await readFile(ACCESS_DOCUMENT, 'utf8')))
