import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The account a program runs under. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * Account for Postgres, which refuses to run as root: `postgres` if the package created it, else `nobody`.
 *
 * @returns undefined when this process is not root
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields !== undefined) return { name, uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    'Postgres cannot run as root and this machine has neither a "postgres" nor a "nobody" account: run as an ordinary user.',
  )
}

/** Whether `account` can access `folder`; home folders such as /root forbid it. */
export function canEnter(folder: string, account: Account | undefined): boolean {
  if (account === undefined) return true
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}
