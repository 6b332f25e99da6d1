import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/runner/paths'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { STAGES, steps } from '../../verify/steps.ts'

interface Workflow {
  jobs: Record<string, { needs?: string; steps: { run?: string }[] }>
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

/** The stages whose tests a script runs. */
const stagesIn = (script: string): string[] =>
  [...script.matchAll(/^\s*pnpm verify (.+)$/gm)].flatMap(([, names = '']) => names.split(' '))

it('CI runs every stage of `npm test`, each in the job of its name after the one before', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow
  const found = Object.entries(jobs).map(([job, { needs, steps: ofJob }]) => ({
    job,
    needs,
    stages: ofJob.flatMap(({ run = '' }) => stagesIn(run)),
  }))
  expect(found).toEqual(
    STAGES.map((stage, index) => ({ job: stage, needs: STAGES[index - 1], stages: [stage] })),
  )
})

it('`pnpm lint` and `pnpm types` run every check of the stage `lint`', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const inScripts = [scripts.lint, scripts.types].flatMap((script) => (script ?? '').split(' && '))
  const inStage = steps('reports', undefined)
    .filter(({ stage }) => stage === 'lint')
    // `biome check` is `biome ci` for a terminal.
    .map(({ command }) => command.join(' ').replace('biome ci', 'biome check'))
  expect(inScripts).toEqual(inStage)
})
