import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Recomputed, recompute } from '@looptide/fairness/recompute'
import { verifyEvening } from '../audience/verify-evening.ts'
import { count } from '../count.ts'
import { fault, usageError } from '../exit-codes.ts'
import { instant } from '../instant.ts'
import type { Session } from '../session.ts'
import type { AddCommands } from './add-commands.ts'

/** Largest input in bytes. A receipt with 10,000 ballots has about 2 MB. */
const MAX_BYTES = 64 * 1024 * 1024

/** Adds `audience`. */
export const addAudienceCommands: AddCommands = (program, act) => {
  program
    .command('audience')
    .description('requests and votes of viewers')
    .command('verify')
    .description('decide again from receipts of played requests, and compare')
    .argument(
      '[source]',
      'with --from a channel, whose receipts are read from the station without signing in; else a file with a receipt or a list of receipts, as JSON; default: standard input',
      '-',
    )
    .option('--from <time>', 'such as 2026-11-27T20:00:00Z: first start', instant)
    .option('--to <time>', 'until before this time; default: now', instant)
    .addHelpText(
      'after',
      '\nA file needs no station. Exits with 1 and names the first difference of each wrong receipt.',
    )
    .action(
      act((session, source: string, { from, to }: Range) => {
        if (from !== undefined) return verifyEvening(session, source, { from, to: to ?? Date.now() })
        if (to !== undefined) throw usageError('--to needs --from.')
        return verify(session, source)
      }),
    )
}

interface Range {
  /** Epoch ms. */
  from?: number
  to?: number
}

async function verify(session: Session, file: string): Promise<void> {
  const text = await readLimited(file === '-' ? process.stdin : createReadStream(file), file)
  const receipts = parse(text)
  const results = receipts.map((receipt, index) => ({ place: index + 1, ...recompute(receipt) }))
  const lines = results.map((result) => `${result.place}: ${textOf(result)}`)
  session.report(
    results.map((result) =>
      result.isCorrect
        ? {
            place: result.place,
            isCorrect: true,
            winner: result.receipt.winner,
            digest: result.receipt.digest,
          }
        : result,
    ),
    lines.join('\n'),
  )
  const wrong = results.filter(({ isCorrect }) => !isCorrect).length
  if (wrong > 0) throw fault(`${count(wrong, 'receipt')} of ${receipts.length} wrong.`)
}

function textOf(result: Recomputed): string {
  if (!result.isCorrect) return `wrong (${result.fault}): ${result.reason}`
  const { decidedAt, winner, currency, ballots, passedOver } = result.receipt
  const rules =
    passedOver.length === 0 ? '' : `, after ${count(passedOver.length, 'request')} that rules forbade`
  return `correct: ${winner} at ${decidedAt} by ${currency}, ${count(ballots.length, 'ballot')}${rules}, digest ${result.receipt.digest}`
}

/** The receipts of a file: a list, or a single one. */
function parse(text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw usageError(`This is not JSON: ${(error as Error).message}`)
  }
  return Array.isArray(value) ? value : [value]
}

async function readLimited(stream: Readable, file: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > MAX_BYTES) break
    }
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (bytes > MAX_BYTES) throw usageError(`The input has more than ${MAX_BYTES / 1024 / 1024} MiB.`)
  return Buffer.concat(chunks).toString('utf8')
}
