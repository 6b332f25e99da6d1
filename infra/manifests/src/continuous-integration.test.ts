import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
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

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; resolved?: string }>
}

it('the downloaded Node and pnpm have a pinned digest for each platform, from any registry', () => {
  for (const part of ['node', 'pnpm']) {
    const { '': _root, ...packages } = (JSON.parse(read(`infra/toolchain/${part}/package-lock.json`)) as Lock)
      .packages
    const names = Object.keys(packages)
    for (const platform of ['linux-x64', 'linux-arm64'])
      expect(names.filter((name) => name.endsWith(platform))).toHaveLength(1)
    for (const { integrity, resolved } of Object.values(packages)) {
      expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
      expect(resolved).toBeUndefined()
    }
  }
})

it('images, workflows and the development container use the same pnpm', () => {
  const { packages } = JSON.parse(read('infra/toolchain/pnpm/package-lock.json')) as Lock
  const { version } = packages['node_modules/pnpm'] ?? {}
  const users = [
    'infra/docker/Dockerfile',
    '.github/actions/set-up/action.yml',
    '.devcontainer/devcontainer.json',
  ]
  for (const path of users) expect([path, /pnpm@([\d.]+)/.exec(read(path))?.[1]]).toEqual([path, version])
})
