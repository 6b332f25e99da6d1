import { createHash } from 'node:crypto'
import { type CachedText, cachedText } from '@looptide/service-kit/http/cached-text'
import { LRUCache } from 'lru-cache'

interface Entry {
  signature: string
  text: Promise<CachedText>
}

/**
 * Caches response bodies that are the same for all clients. A body is rendered again when its `signature` (everything it
 * depends on) changes. Concurrent requests share one rendering. The least recently used bodies are dropped first.
 */
export class TextCache {
  readonly #entries: LRUCache<string, Entry>

  constructor(maxEntries: number) {
    this.#entries = new LRUCache({ max: maxEntries })
  }

  get(key: string, signature: string, render: () => Promise<string> | string): Promise<CachedText> {
    const cached = this.#entries.get(key)
    if (cached?.signature === signature) return cached.text
    const text = this.#render(key, signature, render)
    this.#entries.set(key, { signature, text })
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
