import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { serviceNames } from '@looptide/backing/service-names'
import { EVENTS, STREAMS } from '@looptide/contracts/events'
import { ALL_OPERATIONS } from '@looptide/contracts/operations/all'

/** One time series of a process: a metric with its label values. */
export interface Series {
  metric: string
  labels: Record<string, string>
}

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? \S+$/i
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/gi

/** Reads the Prometheus text format. */
export function readSeries(text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, metric, labels = ''] = LINE.exec(line) ?? []
    if (metric === undefined) return []
    const pairs = [...labels.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value] as const)
    return [{ metric, labels: Object.fromEntries(pairs) }]
  })
}

/** Placeholder for the service's name in an operation of the gateway's proxy. */
const SERVICE_TEMPLATE = /\$\{service\}/

/** The names of all operations, and those that the gateway gives to its other routes, from its sources. */
function operations(): Set<string> {
  const sources = join(repositoryRoot, 'gateway/src')
  const named = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(sources, file), 'utf8').matchAll(/operation: ['`]([^'`]+)['`]/g),
    ])
    .map(([, name = '']) => name)
  const spelled = named.flatMap((name) =>
    SERVICE_TEMPLATE.test(name)
      ? serviceNames.map((service) => name.replace(SERVICE_TEMPLATE, service))
      : [name],
  )
  return new Set(['none', ...spelled, ...ALL_OPERATIONS.map(({ name }) => name)])
}

const CLOSE_REASONS = [
  ...[
    'restarting',
    'fault',
    'idle',
    'sessionEnded',
    'slow',
    'flood',
    'incomplete',
    'tooLarge',
    'protocol',
    'client',
  ],
]
/** Reasons for rejecting an event. */
const REJECT_REASONS = [
  ...['unsigned', 'unknown_key', 'bad_signature', 'wrong_subject', 'wrong_stream', 'stored_copy'],
]
const DIRECTIVE =
  /^(unknown|(default|script|style|img|font|media|connect|frame|child|worker|manifest|object|prefetch|fenced-frame)-src(-elem|-attr)?|base-uri|form-action|frame-ancestors|navigate-to|sandbox|require-trusted-types-for|trusted-types|upgrade-insecure-requests|webrtc)$/
const TOPIC_KINDS = ['stream', 'chat', 'user', 'station', 'guide', 'admin', 'audit', 'moderation', 'unknown']

/** The allowed values of each label. All values come from the program, none from a client. */
function closedSets(): Record<string, (value: string) => boolean> {
  const known = operations()
  const within = (values: readonly string[]) => (value: string) => values.includes(value)
  const names: readonly string[] = [...serviceNames, 'bench', 'test']
  return {
    service: within(names),
    operation: (value) => known.has(value),
    status: (value) => /^[2-5]\d\d$/.test(value),
    type: within(Object.keys(EVENTS)),
    // `live`: events that a process receives over core NATS.
    consumer: (value) =>
      value === 'live' || (names.some((name) => value.startsWith(name)) && /^[a-z-]+$/.test(value)),
    result: (value) => /^[a-z_]{2,13}$/.test(value),
    outcome: (value) => /^[a-zA-Z_-]{2,20}$/.test(value),
    reason: within([...CLOSE_REASONS, ...REJECT_REASONS]),
    stream: within(STREAMS),
    kind: within(TOPIC_KINDS),
    direction: within(['bodies', 'answers']),
    fault: within(['slow', 'excess']),
    change: within(['joins', 'leaves']),
    directive: (value) => DIRECTIVE.test(value),
    le: (value) => value === '+Inf' || Number(value) > 0,
  }
}

/** Labels of our own metrics whose name or value is not in a closed set. */
export function findUnboundedLabels(series: readonly Series[]): string[] {
  const sets = closedSets()
  return series
    .filter(({ metric }) => metric.startsWith('looptide_'))
    .flatMap(({ metric, labels }) =>
      Object.entries(labels)
        .filter(([name, value]) => sets[name]?.(value) !== true)
        .map(([name, value]) => `${metric}{${name}="${value}"}`),
    )
}
