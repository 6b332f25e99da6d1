import { InvalidArgumentError } from 'commander'
import { count } from '../count.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import type { AddCommands } from '../run.ts'
import type { Session } from '../session.ts'
import { readChannel, readChannels } from '../timeline/read-channel.ts'
import { type Finding, verifyChannel } from '../timeline/verify-channel.ts'

const HOUR_MS = 3_600_000

export const addTimelineCommands: AddCommands = (program, act) => {
  program
    .command('timeline')
    .description('what was on, is on and will be on')
    .command('verify')
    .description('is it whole? no gap, no overlap, every length true, and the air log tells the same')
    .argument('[channels...]', 'all that are on the air unless told')
    .option('--hours <n>', 'how far back to read the air log', wholeHours, 24)
    .addHelpText('after', '\nEnds with 1 and names the place of every fault it finds.')
    .action(
      act((session, channels: string[], options: { hours: number }) =>
        verify(session, channels, options.hours * HOUR_MS),
      ),
    )
}

function wholeHours(text: string): number {
  const hours = Number(text)
  if (!Number.isInteger(hours) || hours < 1 || hours > 24 * 90)
    throw new InvalidArgumentError('From 1 to 2160.')
  return hours
}

async function verify(session: Session, wanted: readonly string[], backMs: number): Promise<void> {
  const station = await session.station()
  const channels = await readChannels(station, wanted)
  const results: { channelId: string; programmes: number; logged: number; findings: Finding[] }[] = []
  for (const channel of channels) {
    const facts = await readChannel(station, channel, backMs)
    const findings = verifyChannel(facts)
    results.push({
      channelId: channel.id,
      programmes: facts.programmes.length,
      logged: facts.airLog.length,
      findings,
    })
  }
  const lines = results.flatMap(({ channelId, programmes, logged, findings }) => [
    `${channelId}: ${count(programmes, 'programme')}, air log of ${count(logged, 'line')}, ${findings.length === 0 ? 'all is well' : count(findings.length, 'fault')}`,
    ...findings.map(
      (finding) => `  ${finding.kind} at ${new Date(finding.atMs).toISOString()}: ${finding.what}`,
    ),
  ])
  session.report(results, lines.join('\n'))
  const faults = results.reduce((sum, { findings }) => sum + findings.length, 0)
  if (faults > 0) throw new CommandError(EXIT.fault, `The timeline has ${count(faults, 'fault')}.`)
}
