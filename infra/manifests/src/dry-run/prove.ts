import { MISTAKES, mistaken, RIGHT } from '../planted-mistakes.ts'
import { parseManifests } from '../render.ts'
import { type Place, reportOf, tryManifests } from './trial.ts'

/**
 * Shows that the cluster's API server notices mistakes: correct manifests are accepted, each planted mistake is
 * refused for its own reason. Kinds that the cluster does not serve are skipped.
 *
 * @returns whether all results are as expected
 */
export async function prove(place: Place, say: (line: string) => void): Promise<boolean> {
  const right = await tryManifests(parseManifests(RIGHT), place)
  for (const line of reportOf('manifests without a mistake', right)) say(line)
  const unknown = new Set(right.leftOut.map(({ apiVersion }) => apiVersion))
  const missed: string[] = []
  let [found, leftOut] = [0, 0]
  for (const mistake of MISTAKES) {
    if (mistake.refused === undefined) continue
    const wrong = mistaken(mistake)
    if (unknown.has(wrong.apiVersion)) {
      leftOut += 1
      continue
    }
    const { faults } = await tryManifests([wrong], place)
    const said = faults.map(({ what }) => what).join('\n')
    if (mistake.refused.test(said)) found += 1
    else missed.push(`  not noticed: ${mistake.what}${said === '' ? '' : `; said was: ${said}`}`)
  }
  const others = MISTAKES.filter(({ refused }) => refused === undefined)
  say(`mistakes planted: ${found} noticed, ${missed.length} not, ${leftOut} left out`)
  for (const line of missed) say(line)
  say(`  no API server looks for ${others.map(({ what }) => what).join(', ')}: npm test does`)
  return missed.length === 0 && right.faults.length === 0
}
