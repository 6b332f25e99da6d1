import { createHash } from 'node:crypto'
import { type CachedText, cachedText } from '@looptide/service-kit/http/cached-text'

interface Entry {
  signature: string
  text: Promise<CachedText>
}

/**
 * Caches response bodies that are the same for all clients. A body is rendered again when its `signature` (everything it
 * depends on) changes. Concurrent requests share one rendering. The least recently used bodies are dropped first.
 */
export class TextCache {
  readonly #maxEntries: number
  readonly #entries = new Map<string, Entry>()

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(key: string, signature: string, render: () => Promise<string> | string): Promise<CachedText> {
    const cached = this.#entries.get(key)
    this.#entries.delete(key)
    const text = cached?.signature === signature ? cached.text : this.#render(key, signature, render)
    this.#entries.set(key, { signature, text })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > this.#maxEntries && !oldest.done) this.#entries.delete(oldest.value)
    return text
  }

  async #render(key: string, signature: string, render: () => Promise<string> | string): Promise<CachedText> {
    try {
      const body = await render()
      const hash = createHash('sha256').update(key).update(signature).digest('base64url').slice(0, 22)
      return cachedText(body, `W/"${hash}"`)
    } catch (error) {
      this.#entries.delete(key)
      throw error
    }
  }
}
