import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type CachedText, cachedText } from '@looptide/service-kit/http/cached-text'

/** The text files of Swagger UI. Its icons are small, and not worth compressing. */
const NAMES = [
  ...['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui.js', 'oauth2-redirect.js'],
  ...['swagger-ui.css', 'index.css', 'oauth2-redirect.html', 'logo.svg', 'csp.json'],
]
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

/**
 * The text files of Swagger UI, read when they are first requested and then kept: reading and compressing the largest for
 * each request would cost ten times as much as sending it.
 */
export class SwaggerFiles {
  readonly #files = new Map<string, CachedText>()

  /** A file with its media type. Undefined if it is none of these. */
  async find(name: string): Promise<{ text: CachedText; type: string } | undefined> {
    const type = NAMES.includes(name) ? TYPES[extname(name)] : undefined
    if (type === undefined) return undefined
    const text = this.#files.get(name) ?? cachedText(await readFile(join(FOLDER, name), 'utf8'))
    this.#files.set(name, text)
    return { text, type }
  }
}
