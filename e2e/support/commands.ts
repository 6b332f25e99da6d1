import { run } from '@looptide/cli/run'
import { testAdmin } from '@looptide/test-station/station'

export interface CommandResult {
  code: number
  out: string
  err: string
}

/** Runs `looptide <args>` for the station of a data folder, as its admin and without a terminal. */
export async function looptide(dataDir: string, ...args: string[]): Promise<CommandResult> {
  const said = { out: '', err: '' }
  const code = await run(args, {
    env: {
      LOOPTIDE_DATA: dataDir,
      LOOPTIDE_ADMIN_EMAIL: testAdmin.email,
      LOOPTIDE_ADMIN_PASSWORD: testAdmin.password,
    },
    out: (text) => {
      said.out += `${text}\n`
    },
    err: (text) => {
      said.err += `${text}\n`
    },
    ask: undefined,
  })
  return { code, ...said }
}
