import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext, type SecureVersion } from 'node:tls'
import { Agent, buildConnector, Dispatcher1Wrapper } from 'undici'

/** PEM files of `INTERNAL_TLS_CERT`, `INTERNAL_TLS_KEY` and `INTERNAL_TLS_CA`. */
export interface TlsFiles {
  cert: string
  key: string
  /** The only authorities that are trusted for connections between processes and to stores. */
  ca: string
}

interface Material {
  cert: string
  key: string
  ca: string
  minVersion: SecureVersion
}

const MIN_VERSION = 'TLSv1.3'
const CONNECT_TIMEOUT_MS = 2000

/**
 * The certificate, private key and authorities of this process, for its server and its clients. A renewed certificate is
 * used from {@link InternalTls.renew} on by every new connection; open connections continue.
 */
export class InternalTls {
  readonly #files: TlsFiles
  readonly #servers = new Set<Server>()
  #material: Material
  #connector: buildConnector.connector

  /** @throws Error that names the setting, when a file is missing or invalid, or the certificate has expired. */
  constructor(files: TlsFiles) {
    this.#files = files
    this.#material = readMaterial(files)
    this.#connector = connectorOf(this.#material)
  }

  /** End of the certificate's validity, in epoch ms. */
  get expiresAtMs(): number {
    return expiryOf(this.#material.cert)
  }

  /** Opens connections of undici: verifies the server's certificate and name, and presents our certificate. */
  readonly connect: buildConnector.connector = (options, callback) => this.#connector(options, callback)

  /** Dispatcher of Node's `fetch`, which is part of undici 7: dispatchers of undici 8 have another interface. */
  readonly dispatcher = new Dispatcher1Wrapper(new Agent({ connect: this.connect }))

  /** Options of a server that asks every client for a certificate of the same authorities. */
  serverOptions(): Material & { requestCert: true; rejectUnauthorized: false } {
    // A client without a certificate is refused by a hook, because kubelet's probes cannot present one.
    return { ...this.#material, requestCert: true, rejectUnauthorized: false }
  }

  /** Replaces the certificate of `server` whenever it is renewed. */
  keepRenewed(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }

  /**
   * Options of a TLS client, with values that are read at each connection. `hostname` is the name in the server's
   * certificate, even if the client connects to an IP address (that Sentinel reports).
   */
  clientOptions(hostname: string): Material & { servername?: string } {
    const current = (): Material => this.#material
    return {
      get cert() {
        return current().cert
      },
      get key() {
        return current().key
      },
      get ca() {
        return current().ca
      },
      minVersion: MIN_VERSION,
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    }
  }

  /**
   * Reads the files again. True if they have changed.
   *
   * @throws Error when they are invalid, such as during their replacement; the previous ones stay in use
   */
  renew(): boolean {
    const material = readMaterial(this.#files)
    const { cert, key, ca } = this.#material
    if (material.cert === cert && material.key === key && material.ca === ca) return false
    this.#material = material
    this.#connector = connectorOf(material)
    for (const server of this.#servers) server.setSecureContext(material)
    return true
  }
}

const connectorOf = (material: Material): buildConnector.connector =>
  buildConnector({ ...material, timeout: CONNECT_TIMEOUT_MS, allowH2: false })

const expiryOf = (cert: string): number => new X509Certificate(cert).validToDate.getTime()

function readMaterial({ cert, key, ca }: TlsFiles): Material {
  const material: Material = {
    cert: readPem('INTERNAL_TLS_CERT', cert),
    key: readPem('INTERNAL_TLS_KEY', key),
    ca: readPem('INTERNAL_TLS_CA', ca),
    minVersion: MIN_VERSION,
  }
  const expiresAtMs = named('INTERNAL_TLS_CERT', cert, () => expiryOf(material.cert))
  named('INTERNAL_TLS_CA', ca, () => new X509Certificate(material.ca))
  named('INTERNAL_TLS_KEY', key, () => createSecureContext(material))
  if (expiresAtMs < Date.now()) throw new Error(`INTERNAL_TLS_CERT: ${cert} has expired.`)
  return material
}

const readPem = (setting: string, file: string): string =>
  named(setting, file, () => readFileSync(file, 'utf8'))

/** The result of `read`. Its error gets the names of the setting and the file. */
function named<T>(setting: string, file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${setting}: ${file} cannot be used: ${reason}`, { cause: error })
  }
}
