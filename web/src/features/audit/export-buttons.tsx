import { AUDIT_EXPORT_MAX_LINES } from '@looptide/contracts/http/admin'
import { useState } from 'react'
import { saveFile } from '../../lib/browser/save-file.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { showFailure } from '../admin/show-failure.ts'
import { exportAudit } from './api.ts'
import type { AuditFilter } from './audit-filter.ts'

/** Export the filtered log as CSV or JSON. */
export function ExportButtons({ filter }: { filter: AuditFilter }) {
  const [busyWith, setBusyWith] = useState<'csv' | 'json'>()
  const run = async (format: 'csv' | 'json') => {
    if (busyWith) return
    setBusyWith(format)
    try {
      const { file, isTruncated } = await exportAudit({ format, ...filter })
      saveFile(file, `audit.${format}`)
      const maxLines = AUDIT_EXPORT_MAX_LINES.toLocaleString(dateLocale)
      toast({
        title: 'Audit Log Exported',
        description: isTruncated
          ? `The file has only the newest ${maxLines} entries. Set an earlier end to export the rest.`
          : `Saved as audit.${format}.`,
        tone: 'success',
      })
    } catch (failure) {
      showFailure(failure, {
        title: 'Failed to export the audit log.',
        text: 'The server did not respond. Please try again.',
      })
    } finally {
      setBusyWith(undefined)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} aria-disabled={busyWith !== undefined} onClick={() => void run(format)}>
          {busyWith === format ? 'Exporting...' : `Export ${format.toUpperCase()}`}
        </Button>
      ))}
    </div>
  )
}
