import { AUDIT_EXPORT_MAX_LINES } from '@looptide/contracts/http/admin'
import { useState } from 'react'
import { dateLocale } from '../../../lib/date-locale.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { exportAudit } from './api.ts'
import type { AuditFilter } from './audit-filter.ts'

/** What the filter leaves, as a file. */
export function ExportButtons({ filter }: { filter: AuditFilter }) {
  const [busyWith, setBusyWith] = useState<'csv' | 'json'>()
  const run = async (format: 'csv' | 'json') => {
    if (busyWith) return
    setBusyWith(format)
    try {
      const { file, isCut } = await exportAudit({ format, ...filter })
      saveFile(file, `audit.${format}`)
      const most = AUDIT_EXPORT_MAX_LINES.toLocaleString(dateLocale)
      toast({
        title: 'Audit Log Exported',
        description: isCut
          ? `Only the newest ${most} lines. Choose an earlier end for the rest.`
          : `Saved as audit.${format}.`,
        tone: 'success',
      })
    } catch (failure) {
      tellFailure(failure, {
        title: 'Failed to export the audit log.',
        text: 'The station did not answer. Please try again.',
      })
    } finally {
      setBusyWith(undefined)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          aria-disabled={busyWith !== undefined}
          className="aria-disabled:opacity-55"
          onClick={() => void run(format)}
        >
          {busyWith === format ? 'Exporting...' : `Export ${format.toUpperCase()}`}
        </Button>
      ))}
    </div>
  )
}
