// Decorators of @peculiar/x509 need it.
import 'reflect-metadata'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** PEM files of a certificate, its private key, and its authority. */
export interface TestCertificate {
  cert: string
  key: string
  ca: string
}

interface Validity {
  /** DNS names and IP addresses. Default: `localhost` and 127.0.0.1. */
  names?: readonly string[]
  /** Default: tomorrow. */
  expiresAt?: Date
}

const HOUR_MS = 3_600_000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const newKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

/** A certificate authority of one test file, with files in a folder of its own. */
export class TestAuthority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'looptide-certificates-'))
  readonly #keys: CryptoKeyPair
  readonly #certificate: X509Certificate

  constructor(keys: CryptoKeyPair, certificate: X509Certificate) {
    this.#keys = keys
    this.#certificate = certificate
  }

  static async create(): Promise<TestAuthority> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=test authority',
      keys,
      notBefore: new Date(Date.now() - HOUR_MS),
      notAfter: new Date(Date.now() + 48 * HOUR_MS),
      signingAlgorithm: ALGORITHM,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    })
    return new TestAuthority(keys, certificate)
  }

  /** Writes the files `<file>.crt`, `<file>.key` and `<file>.ca.crt`, and replaces earlier ones. */
  async issue(
    file: string,
    { names = ['localhost', '127.0.0.1'], expiresAt }: Validity = {},
  ): Promise<TestCertificate> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${file}`,
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(Date.now() - 2 * HOUR_MS),
      notAfter: expiresAt ?? new Date(Date.now() + 24 * HOUR_MS),
      extensions: [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
      ],
    })
    const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    const paths = {
      cert: join(this.#folder, `${file}.crt`),
      key: join(this.#folder, `${file}.key`),
      ca: join(this.#folder, `${file}.ca.crt`),
    }
    writeFileSync(paths.cert, certificate.toString('pem'))
    writeFileSync(paths.key, PemConverter.encode(pkcs8, 'PRIVATE KEY'))
    writeFileSync(paths.ca, this.#certificate.toString('pem'))
    return paths
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The contents of a certificate's files, as Node's TLS options. */
export const contentsOf = ({ cert, key, ca }: TestCertificate) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
  ca: readFileSync(ca, 'utf8'),
})
