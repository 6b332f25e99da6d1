import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { fault, usageError } from '../exit-codes.ts'

type Bytes = Parameters<Encrypter['encrypt']>[0] & globalThis.ReadableStream<Uint8Array>

/** `plain` encrypted for `recipients` (`age1…`) in the age format; unchanged without recipients. */
export async function encrypted(
  plain: AsyncIterable<unknown>,
  recipients: readonly string[],
): Promise<Readable> {
  if (recipients.length === 0) return Readable.from(plain)
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw usageError(`${recipient} is not an age recipient, which begins with age1.`)
    }
  }
  const sealed = await encrypter.encrypt(Readable.toWeb(Readable.from(plain)) as unknown as Bytes)
  return Readable.fromWeb(sealed as unknown as ReadableStream)
}

/** A backup decrypted with the identities of `identityPath`, if given. */
export async function decrypted(bytes: Readable, identityPath: string | undefined): Promise<Readable> {
  if (identityPath === undefined) return bytes
  const decrypter = new Decrypter()
  for (const identity of await readIdentities(identityPath)) decrypter.addIdentity(identity)
  try {
    const opened = await decrypter.decrypt(Readable.toWeb(bytes) as unknown as Bytes)
    return Readable.fromWeb(opened as unknown as ReadableStream)
  } catch {
    bytes.destroy()
    throw fault('The backup is not encrypted for the identities of this file, or is damaged.')
  }
}

/** The identities of a file as `age-keygen` writes it: one per line, `#` begins a comment. */
async function readIdentities(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0 || identities.some((line) => !line.startsWith('AGE-SECRET-KEY-'))) {
    throw usageError(`${path} is not an age identity file (age-keygen creates one).`)
  }
  return identities
}
