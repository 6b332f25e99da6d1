import { setTimeout as pause } from 'node:timers/promises'
import {
  searchArtists,
  searchVideos,
} from '../../services/catalogue/src/features/search/search-repository.ts'
import { quantile } from '../quantile.ts'
import { type BenchRow, rounded } from '../report.ts'
import { type Library, plainIlike } from './library.ts'
import { searchClasses } from './texts.ts'

export const LIMIT = 20
const ARTISTS = 5
const PLAIN_ROUNDS = 2
/** Each turn is one search in the database and one over HTTP; more would measure our own queue. */
const TURNS_PER_SECOND = 25

/** Results for each class of texts, and whether all were equal to those of ILIKE. */
export interface Measured {
  rows: BenchRow[]
  isSame: boolean
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  times.push(performance.now() - started)
  return result
}

const sorted = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b)

/** Each text `rounds` times with ours and twice with ILIKE, without other load. */
export async function measureQuiet(library: Library, rounds: number): Promise<Measured> {
  const measured: Measured = { rows: [], isSame: true }
  for (const { name, texts } of searchClasses) {
    const [ours, plain, artists]: [number[], number[], number[]] = [[], [], []]
    let cpu = 0
    let hits = 0
    for (const text of texts) {
      await searchVideos(library.db, text, LIMIT)
      const before = library.cpuMs()
      let found: { id: string }[] = []
      for (let turn = 0; turn < rounds; turn += 1) {
        found = await timed(ours, () => searchVideos(library.db, text, LIMIT))
      }
      cpu += library.cpuMs() - before
      hits += found.length
      for (let turn = 0; turn < rounds; turn += 1) {
        await timed(artists, () => searchArtists(library.db, text, ARTISTS))
      }
      for (let turn = 0; turn < PLAIN_ROUNDS; turn += 1) {
        const expected = await timed(plain, () => plainIlike(library.db, text, LIMIT))
        measured.isSame &&= expected.join() === found.map(({ id }) => id).join()
      }
    }
    const [ourMs, plainMs] = [sorted(ours), sorted(plain)]
    measured.rows.push({
      bench: 'search',
      input: { videos: library.rowCount, texts: name, addedPerSecond: 0 },
      figures: {
        hits: Math.round(hits / texts.length),
        p50Ms: rounded(quantile(ourMs, 0.5), 1),
        p99Ms: rounded(quantile(ourMs, 0.99), 1),
        cpuMs: rounded(cpu / (rounds * texts.length), 1),
        artistsP99Ms: rounded(quantile(sorted(artists), 0.99), 1),
        ilikeP50Ms: rounded(quantile(plainMs, 0.5), 1),
        ilikeP99Ms: rounded(quantile(plainMs, 0.99), 1),
        timesFaster: rounded(quantile(plainMs, 0.5) / quantile(ourMs, 0.5)),
      },
    })
  }
  return measured
}

/**
 * During `adding`: all texts in turn for `seconds`, 25 a second, each in the database and in the catalogue over
 * HTTP (videos and artists, the whole answer). Then each text once with ours and once with ILIKE in one snapshot,
 * since the library changes between answers.
 */
export async function measureWhileAdding(
  library: Library,
  adding: { url: string; perSecond: number },
  seconds: number,
): Promise<Measured> {
  const classes = searchClasses.map(({ name, texts }) => ({
    name,
    texts,
    ours: [] as number[],
    answers: [] as number[],
  }))
  const turns = classes.flatMap(({ texts, ours, answers }) => texts.map((text) => ({ text, ours, answers })))
  const startMs = performance.now()
  for (let turn = 0; turn < seconds * TURNS_PER_SECOND; turn += 1) {
    await pause(Math.max(0, startMs + (turn * 1000) / TURNS_PER_SECOND - performance.now()))
    const { text, ours, answers } = turns[turn % turns.length]!
    await timed(ours, () => searchVideos(library.db, text, LIMIT))
    await timed(answers, () => ask(adding.url, text))
  }
  let isSame = true
  for (const text of classes.flatMap(({ texts }) => texts))
    isSame &&= await isSameInOneSnapshot(library, text)
  const rows = classes.map(({ name, ours, answers }) => {
    const [ourMs, answerMs] = [sorted(ours), sorted(answers)]
    return {
      bench: 'search',
      input: { videos: library.rowCount, texts: name, addedPerSecond: adding.perSecond },
      figures: {
        searches: ourMs.length,
        p50Ms: rounded(quantile(ourMs, 0.5), 1),
        p99Ms: rounded(quantile(ourMs, 0.99), 1),
        maxMs: rounded(quantile(ourMs, 1), 1),
        answerP50Ms: rounded(quantile(answerMs, 0.5), 1),
        answerP99Ms: rounded(quantile(answerMs, 0.99), 1),
      },
    }
  })
  return { rows, isSame }
}

async function ask(url: string, text: string): Promise<void> {
  const response = await fetch(`${url}/api/search?q=${encodeURIComponent(text)}&limit=${LIMIT}`)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`searching for "${text}": ${response.status}`)
}

function isSameInOneSnapshot({ db }: Library, text: string): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const found = await searchVideos(trx, text, LIMIT)
      const expected = await plainIlike(trx, text, LIMIT)
      return expected.join() === found.map(({ id }) => id).join()
    })
}
