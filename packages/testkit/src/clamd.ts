import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@looptide/backing/free-port'
import { type Backing, containerBacking, hasDocker, LocalProcess, localBacking } from './backing.ts'

/** Bytes that the scanner of the tests takes for malware, and the name it reports. */
export const MALWARE = Buffer.from('Looptide malware test pattern 2c26b46b68ffc68f')
export const MALWARE_NAME = 'Looptide.Test.Upload.UNOFFICIAL'

/** Longest upload that it scans, in bytes. */
export const MAX_SCAN_BYTES = 2 * 1024 * 1024

/** A database with one signature, instead of the official one: name, any file type, any offset, bytes. */
const SIGNATURES = `${MALWARE_NAME.replace(/\.UNOFFICIAL$/, '')}:0:*:${MALWARE.toString('hex')}\n`

const configuration = (host: string, port: number, databaseFolder: string): string =>
  [
    `TCPAddr ${host}`,
    `TCPSocket ${port}`,
    `DatabaseDirectory ${databaseFolder}`,
    `StreamMaxLength ${MAX_SCAN_BYTES}`,
    'Foreground yes',
    '',
  ].join('\n')

/** The malware scanner clamd for one test file. It finds {@link MALWARE}, and nothing else. */
export async function startClamd(): Promise<Backing> {
  return hasDocker() ? startInContainer() : startLocally()
}

async function startLocally(): Promise<Backing> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'looptide-clamd-'))
  const configFile = join(folder, 'clamd.conf')
  await writeFile(configFile, configuration('127.0.0.1', port, folder))
  await writeFile(join(folder, 'test.ndb'), SIGNATURES)
  const server = new LocalProcess({ program: 'clamd', args: ['--config-file', configFile], port })
  await server.start()
  return localBacking(server, `tcp://127.0.0.1:${port}`, folder)
}

async function startInContainer(): Promise<Backing> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const port = await freePort()
  const folder = '/opt/looptide'
  const container = await new GenericContainer('clamav/clamav:1.4_base')
    .withCopyContentToContainer([
      { target: `${folder}/clamd.conf`, content: configuration('0.0.0.0', 3310, `${folder}/database`) },
      { target: `${folder}/database/test.ndb`, content: SIGNATURES },
    ])
    .withEntrypoint(['clamd', '--config-file', `${folder}/clamd.conf`])
    .withExposedPorts({ container: 3310, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start()
  return containerBacking(container, port, `tcp://127.0.0.1:${port}`)
}
