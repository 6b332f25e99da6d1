import type { wordsOf } from '@looptide/service-kit/text/look-alike'

/** The words of a message with their readings, in order. */
type Words = ReturnType<typeof wordsOf>

interface Node {
  /** By the key of the next word. */
  readonly next: Map<string, Node>
  /** Entries of the list that end here. */
  readonly indices: number[]
}

/** Receives an entry that a message contains, and where: in UTF-16 units. */
type OnFound = (index: number, start: number, end: number) => void

const newNode = (): Node => ({ next: new Map(), indices: [] })

/**
 * Phrases as a tree of the keys of their words (a trie), so that phrases with the same first words are compared once. A
 * message costs a walk per word, at most as deep as the longest phrase.
 */
export class PhraseTree {
  readonly #root = newNode()

  /** Adds a phrase by the keys of its words. */
  add(index: number, keys: readonly string[]): void {
    let node = this.#root
    for (const key of keys) {
      const next = node.next.get(key) ?? newNode()
      node.next.set(key, next)
      node = next
    }
    node.indices.push(index)
  }

  /** Finds the phrases that these words contain, each in every place. */
  find(words: Words, onFound: OnFound): void {
    const walk = (node: Node | undefined, at: number, start: number, end: number): void => {
      if (node === undefined) return
      for (const index of node.indices) onFound(index, start, end)
      if (node.next.size === 0) return
      for (const reading of words[at] ?? []) walk(node.next.get(reading.key), at + 1, start, reading.end)
    }
    for (const [at, readings] of words.entries()) {
      for (const { key, start, end } of readings) walk(this.#root.next.get(key), at + 1, start, end)
    }
  }
}
