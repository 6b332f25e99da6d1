/** A seeded random generator (mulberry32): the same library every time. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES = 'la ra mi no ve so da ti ka lo re shi an el or us en ta be ri go fa mo su ne'.split(' ')
const FIRST = 'love night heart dance baby fire dream time world life girl blue rain light star home'.split(
  ' ',
)
const GENRES = 'Pop,Rock,Hip hop,R&B,Dance & Electronic,Country,Jazz,Soul,Metal,Indie'.split(',')

/** 6,000 words with frequencies as in a language (by rank). */
export function makeWords(next: () => number): (count: number) => string {
  const words = [...FIRST]
  while (words.length < 6000) {
    const length = 2 + Math.floor(next() * 3)
    words.push(Array.from({ length }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join(''))
  }
  const pick = () => words[Math.floor(words.length * next() ** 3)] ?? ''
  return (count) => Array.from({ length: count }, pick).join(' ')
}

export interface MadeVideo {
  title: string
  artist: string
  description: string | null
  genre: string
}

/** Video `place` of `total`, the oldest first. Some contain one of the searched texts. */
export function makeVideo(
  place: number,
  total: number,
  words: (count: number) => string,
  next: () => number,
): MadeVideo {
  const age = 1 - place / total
  const artistNumber = Math.floor(60_000 * next() ** 2)
  return {
    title: `${words(2 + Math.floor(next() * 4))}${planted(place, age, next)}`,
    artist: `${words(1)} ${artistNumber.toString(36)}`,
    description: next() < 0.2 ? null : words(4 + Math.floor(next() * 8)),
    genre: GENRES[Math.floor(GENRES.length * next() ** 2)] ?? 'Pop',
  }
}

function planted(place: number, age: number, next: () => number): string {
  if (place % 50_021 === 7) return ' x#x'
  if (place % 40_009 === 11) return ' a & b'
  if (place % 9973 === 3) return ' qj zyzzyva'
  if (place % 1009 === 5) return ' & the §§'
  if (age > 0.97 && place % 150 === 0) return ' wurlitzer'
  // A hundred thousand hits, none of them new: hard for both scanning and an index.
  if (age > 0.5 && age < 0.6) return ' polkafest'
  return next() < 0.01 ? ' (Official Video) [HD] 100%' : ''
}

export const searchClasses: readonly { name: string; texts: readonly string[] }[] = [
  { name: 'common, 2 characters', texts: ['lo', 'e '] },
  { name: 'rare, 2 characters', texts: ['qj', '§§'] },
  { name: 'absent, 2 characters', texts: ['ÿÿ', 'q!'] },
  { name: '1 character', texts: ['a', '%', '☃'] },
  { name: 'common, 3 and more', texts: ['love', 'night'] },
  { name: 'rare, 3 and more', texts: ['zyzzyva', 'j zyz'] },
  { name: 'absent, 3 and more', texts: ['xylograph', 'lovenight la rami'] },
  { name: 'frequent runs, rare text', texts: ['love rain heart', 'e love b'] },
  { name: 'only in old videos', texts: ['wurlitzer', 'urlitz'] },
  { name: 'many, but only in old videos', texts: ['polkafest', 'kaf'] },
  { name: 'punctuation, no word', texts: ['x#x', 'a & b', '& the §', '0%', '[h', '___'] },
]
