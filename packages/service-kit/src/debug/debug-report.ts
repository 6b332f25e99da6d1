import { type Static, Type } from 'typebox'

/** A row of a debug table: values by column. */
const DebugRow = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
)
export type DebugRow = Readonly<Static<typeof DebugRow>>

/** One part of a process's state, read when the report is requested. */
export interface DebugSource {
  title: string
  read: () => readonly DebugRow[] | Promise<readonly DebugRow[]>
}

/** The content of a source, or the error of reading it. */
const DebugSection = Type.Object({
  title: Type.String(),
  rows: Type.Array(DebugRow),
  error: Type.Union([Type.String(), Type.Null()]),
})
export type DebugSection = Static<typeof DebugSection>

/** The state of one process, shown on `/debug` in development. */
export const DebugReport = Type.Object({ process: Type.String(), sections: Type.Array(DebugSection) })
export type DebugReport = Static<typeof DebugReport>

/** Reads all sources. One that fails does not hide the others. */
export async function readReport(process: string, sources: readonly DebugSource[]): Promise<DebugReport> {
  return { process, sections: await Promise.all(sources.map(readSection)) }
}

async function readSection({ title, read }: DebugSource): Promise<DebugSection> {
  try {
    return { title, rows: [...(await read())], error: null }
  } catch (error) {
    return { title, rows: [], error: error instanceof Error ? error.message : String(error) }
  }
}
