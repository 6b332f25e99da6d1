import { createHash } from 'node:crypto'
import { type CachedText, cachedText } from '@looptide/service-kit/cached-text'

interface Entry {
  signature: string
  text: Promise<CachedText>
}

/**
 * Texts that are made once for all who ask. A text is made anew when its `signature` — whatever it was made from —
 * is another one; requests that come meanwhile wait for the same making. The least used are forgotten first.
 */
export class CachedTexts {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, signature: string, make: () => Promise<string> | string): Promise<CachedText> {
    const known = this.#entries.get(key)
    this.#entries.delete(key)
    const text = known?.signature === signature ? known.text : this.#make(key, signature, make)
    this.#entries.set(key, { signature, text })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > this.#most && !oldest.done) this.#entries.delete(oldest.value)
    return text
  }

  async #make(key: string, signature: string, make: () => Promise<string> | string): Promise<CachedText> {
    try {
      const body = await make()
      const hash = createHash('sha256').update(key).update(signature).digest('base64url').slice(0, 22)
      return cachedText(body, `W/"${hash}"`)
    } catch (error) {
      this.#entries.delete(key)
      throw error
    }
  }
}
