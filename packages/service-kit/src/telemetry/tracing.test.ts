import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { currentTraceParent, inSpan, isTracing, startTracing, traceHeaders } from './tracing.ts'

/** The modules of OpenTelemetry that Node loads in a process that starts tracing with this configuration. */
function loadedWith(config: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load: (url, context, next) => {
      const found = /@opentelemetry\\/(?!.*@opentelemetry\\/)([a-z-]+)/.exec(url)
      if (found) loaded.add(found[1])
      return next(url, context)
    } })
    const { startTracing } = await import('${new URL('tracing.ts', import.meta.url).href}')
    const stop = await startTracing('test', ${config})
    console.log(JSON.stringify([...loaded]))
    await stop()`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  ) as string[]
}

describe('tracing that is not configured', () => {
  it('loads no SDK', () => {
    expect(loadedWith('undefined')).toEqual(['api'])
    expect(loadedWith("{ endpoint: 'http://127.0.0.1:9', ratio: 1, delayMs: 60000 }")).toContain('sdk-trace')
  })

  it('runs the work of a span, and adds no trace headers', async () => {
    const stop = await startTracing('test', undefined)
    expect(isTracing()).toBe(false)
    expect(await inSpan('work', { kind: 'consumer', parent: null }, async () => traceHeaders())).toEqual({})
    expect(currentTraceParent()).toBeNull()
    await expect(inSpan('work', { kind: 'producer' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    await stop()
  })
})
