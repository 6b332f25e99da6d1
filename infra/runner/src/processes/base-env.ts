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
