import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { fault } from '../exit-codes.ts'
import { decrypted, encrypted } from './encryption.ts'

/** The manifest of a backup file, which is a tar of `manifest.json` and the files it lists. */
export const Manifest = Type.Object({
  /** 1: events without signatures. */
  format: Type.Union([Type.Literal(1), Type.Literal(2)]),
  product: Type.Literal('looptide'),
  version: Type.String(),
  /** The instant of the backup, RFC 3339. */
  takenAt: Type.String(),
  postgres: Type.String(),
  /** Events that were not yet consumed at that instant. */
  events: Type.Integer({ minimum: 0 }),
  /** SHA-256 of each file, in hexadecimal. */
  files: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
export type Manifest = Static<typeof Manifest>

/** File names in the archive. */
export const DUMP_FILE = 'database.dump'
export const EVENTS_FILE = 'events.ndjson'
const MANIFEST_FILE = 'manifest.json'
const AGE_MAGIC = 'age-encryption.org/v1'

/** SHA-256 of a file in hex, read as a stream. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Writes the manifest and the files of `folder` to `path`, readable by its owner only, encrypted for `recipients`
 * if there are any. The file appears only when it is complete.
 */
export async function writeArchive(
  path: string,
  folder: string,
  manifest: Manifest,
  recipients: readonly string[] = [],
): Promise<void> {
  const draft = `${path}.part`
  const archive = pack()
  const bytes = await encrypted(archive, recipients)
  const written = pipeline(bytes, createWriteStream(draft, { mode: 0o600 }))
  try {
    archive.entry({ name: MANIFEST_FILE, mode: 0o600 }, `${JSON.stringify(manifest, null, 2)}\n`)
    for (const name of Object.keys(manifest.files)) {
      const { size } = await stat(join(folder, name))
      await pipeline(createReadStream(join(folder, name)), archive.entry({ name, size, mode: 0o600 }))
    }
    archive.finalize()
    await written
    await rename(draft, path)
  } catch (error) {
    archive.destroy()
    await written.catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** A backup whose files are in `folder`. */
export interface UnpackedBackup {
  manifest: Manifest
  folder: string
}

/** Unpacks the backup at `path` for `work`, as {@link readArchive} does, and deletes the unpacked files afterwards. */
export async function withBackup<T>(
  path: string,
  identityPath: string | undefined,
  work: (backup: UnpackedBackup) => Promise<T>,
): Promise<T> {
  // Beside the file, where there is space: a container's /tmp is memory.
  const folder = await mkdtemp(join(dirname(resolve(path)), '.looptide-restore-'))
  try {
    return await work({ manifest: await readArchive(path, folder, identityPath), folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Unpacks the archive at `path` into `folder`, decrypted with the age identities of `identityPath` if given. Throws
 * when the file is not a Looptide backup or is incomplete.
 */
export async function readArchive(path: string, folder: string, identityPath?: string): Promise<Manifest> {
  const names = new Set([MANIFEST_FILE, DUMP_FILE, EVENTS_FILE])
  const files = extract()
  const unpacked = pipeline(await decrypted(await openBackup(path, identityPath), identityPath), files)
  try {
    for await (const entry of files) {
      const { name } = entry.header
      if (!names.has(name)) throw fault(`${path} contains ${name}, which is not part of a Looptide backup.`)
      await pipeline(entry, createWriteStream(join(folder, name), { mode: 0o600 }))
    }
    await unpacked
  } catch (cause) {
    await unpacked.catch(() => undefined)
    throw fault(
      `${path} cannot be read as a backup: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => 'null')
  const manifest: unknown = JSON.parse(text)
  if (!Check(Manifest, manifest)) throw fault(`${path} is not a backup of a supported version.`)
  for (const [name, digest] of Object.entries(manifest.files)) {
    const found = names.has(name) ? await digestOf(join(folder, name)).catch(() => '') : ''
    if (found !== digest) throw fault(`${path} is damaged: the digest of ${name} differs.`)
  }
  return manifest
}

/** The file's content. An encrypted file without an identity is refused with a hint. */
async function openBackup(path: string, identityPath: string | undefined): Promise<ReadStream> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0)
  await file.close()
  const isEncrypted = buffer.toString('latin1') === AGE_MAGIC
  if (isEncrypted && identityPath === undefined)
    throw fault(`${path} is encrypted: pass its key with --identity.`)
  if (!isEncrypted && identityPath !== undefined) throw fault(`${path} is not encrypted: omit --identity.`)
  return createReadStream(path)
}

/** One JSON document per line. */
export const writeLines = (path: string, values: readonly unknown[]): Promise<void> =>
  writeFile(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''), { mode: 0o600 })

/** The values of a file with a JSON value in each line. The type is the caller's claim. */
export async function readLines<T>(path: string): Promise<T[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
