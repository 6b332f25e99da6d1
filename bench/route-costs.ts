/**
 * What one request to each public route costs the processes that answer it: processor time of the gateway and of the
 * dearest service, in ms. Goal: at most 5 ms, because a process answers nobody else meanwhile.
 *
 *   node bench/route-costs.ts [requests] [--json FILE]      default 100 for each route
 */
import { startTestStation, type TestStation } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import { type BenchRow, benchArguments, machine, rounded, writeRows } from './report.ts'
import { cpuMs } from './sockets/cpu.ts'

/** Requests before the measured ones, in which code is compiled and texts are rendered. */
const WARM_UP = 20
const MAX_COST_MS = 5
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
/** Routes of the gateway that the description does not list. */
const UNDESCRIBED = [
  ...['/', '/live', '/search', '/docs', '/docs/json', '/docs/yaml', '/openapi.json'],
  ...['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/livez', '/readyz', '/nowhere.js'],
  '/realtime/v1/websocket',
]

interface Operation {
  security?: object[]
  parameters?: { in: string; name: string; required?: boolean }[]
}
interface Description {
  tags: object[]
  paths: Record<string, Record<string, Operation>>
}

/** Pages whose scripts, styles and icons are measured too. */
const PAGES = ['/', '/docs']

/** The paths of the files that a page loads. */
async function filesOf(station: TestStation, page: string): Promise<string[]> {
  const html = await (await fetch(station.url + page)).text()
  return [...html.matchAll(/\s(?:src|href)="(\/[^"]+)"/g)].flatMap(([, path]) =>
    path === undefined ? [] : [path],
  )
}

/** The URLs of all GET operations that anyone may call. `number` differs in each request, so that no cache answers. */
async function publicRoutes(
  station: TestStation,
): Promise<{ route: string; urlOf: (number: number) => string }[]> {
  const { paths } = await until('the description has every service', async () => {
    const description = (await (await fetch(`${station.url}/docs/json`)).json()) as Description
    return description.tags.length === Object.keys(station.urls).length ? description : undefined
  })
  const described = Object.entries(paths).flatMap(([path, { get }]) =>
    get?.security?.some((requirement) => Object.keys(requirement).length === 0) === true
      ? [{ route: path, urlOf: (number: number) => urlOf(path, get, number) }]
      : [],
  )
  const files = await Promise.all(PAGES.map((page) => filesOf(station, page)))
  const undescribed = new Set([...UNDESCRIBED, ...files.flat()])
  return [...described, ...Array.from(undescribed, (path) => ({ route: path, urlOf: () => path }))]
}

function urlOf(path: string, { parameters = [] }: Operation, number: number): string {
  const isChannel = path.includes('/channels/{id}')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (isChannel && name === 'id') return 'test-card'
    return name === 'version' ? '1' : name === 'handle' ? 'nobody' : UNKNOWN_ID
  })
  const known: Record<string, string> = {
    q: `text ${number}`,
    seed: `seed${number}`,
    ids: UNKNOWN_ID,
    userId: UNKNOWN_ID,
  }
  const query = parameters.flatMap(({ in: place, name }) =>
    place === 'query' && known[name] !== undefined ? [[name, known[name]]] : [],
  )
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}

async function measure(
  station: TestStation,
  route: string,
  pathOf: (number: number) => string,
  count: number,
): Promise<BenchRow> {
  let [bytes, status, sent] = [0, 0, 0]
  const send = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      sent += 1
      const response = await fetch(station.url + pathOf(sent), { redirect: 'manual' })
      bytes = (await response.arrayBuffer()).byteLength
      status = response.status
    }
  }
  await send(WARM_UP)
  const processes = Object.entries(station.pids)
  const before = processes.map(([, pid]) => cpuMs(pid))
  await send(count)
  const costs = processes.map(([name, pid], index): [string, number] => [
    name,
    (cpuMs(pid) - (before[index] ?? 0)) / count,
  ])
  const [service = '', serviceMs = 0] =
    costs.filter(([name]) => name !== 'gateway').toSorted(([, a], [, b]) => b - a)[0] ?? []
  const gatewayMs = costs.find(([name]) => name === 'gateway')?.[1] ?? 0
  return {
    bench: 'route-costs',
    input: { route },
    figures: { status, bytes, gatewayMs: rounded(gatewayMs, 2), serviceMs: rounded(serviceMs, 2), service },
  }
}

const { sizes, json } = benchArguments([100])
const station = await startTestStation({ env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
const rows: BenchRow[] = []
try {
  console.log(machine())
  for (const { route, urlOf: pathOf } of await publicRoutes(station))
    for (const count of sizes) rows.push(await measure(station, route, pathOf, count))
} finally {
  await station.stop()
}
const costOf = ({ figures }: BenchRow): number =>
  Math.max(Number(figures.gatewayMs), Number(figures.serviceMs))
console.table(
  rows.toSorted((a, b) => costOf(b) - costOf(a)).map(({ input, figures }) => ({ ...input, ...figures })),
)
if (json !== undefined) writeRows(json, rows)
const tooDear = rows.filter((row) => costOf(row) > MAX_COST_MS)
if (tooDear.length > 0)
  throw new Error(`Above ${MAX_COST_MS} ms: ${tooDear.map(({ input }) => input.route).join(', ')}`)
