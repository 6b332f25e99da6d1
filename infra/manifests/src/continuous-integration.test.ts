import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/runner/paths'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import config from '../../../vitest.config.ts'
import { STAGES } from '../../verify/steps.ts'

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

it('projects of tests with different numbers of workers run one after the other, as Vitest requires', () => {
  const groups = new Map<unknown, Set<unknown>>()
  const projects = config.test?.projects as {
    test: { maxWorkers?: number; sequence?: { groupOrder: number } }
  }[]
  for (const { test } of projects) {
    const group = test.sequence?.groupOrder ?? 0
    groups.set(group, (groups.get(group) ?? new Set()).add(test.maxWorkers))
  }
  expect([...groups.values()].filter((workers) => workers.size > 1)).toEqual([])
})
