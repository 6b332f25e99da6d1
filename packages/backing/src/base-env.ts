import { compileCacheRoot } from './paths.ts'

const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]

/**
 * The part of our own environment that every process of the station inherits: what it needs to run and to reach the
 * network. Settings go only to the service that reads them.
 */
export function baseEnv(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (passedOn.includes(name) || name.startsWith('BRAND_'))) chosen[name] = value
  }
  return chosen
}

/**
 * The environment of every Node process that keeps running. With glibc each thread of V8 and libuv allocates from an arena
 * of its own and returns little of it: two arenas save about 7 MB a process. Other C libraries ignore the setting.
 */
export const nodeEnv = (): Record<string, string> => ({
  ...baseEnv(),
  NODE_COMPILE_CACHE: compileCacheRoot,
  MALLOC_ARENA_MAX: '2',
})
