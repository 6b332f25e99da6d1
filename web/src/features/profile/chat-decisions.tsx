import { CASE_TEXT_MAX, type OwnDecision } from '@looptide/contracts/http/chat-cases'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { DECISION_LABELS, OUTCOME_LABELS, REPORT_LABELS } from '../../lib/report-labels.ts'
import { dayAndTime } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { useOwnDecisions, useOwnReports } from './api.ts'
import { SettingsSection } from './settings-section.tsx'

const SKELETON = { count: 1, className: 'h-16' }

/** Whether a list has items, or failed to load. */
const isShown = ({ items, error }: { items: readonly unknown[] | undefined; error: unknown }): boolean =>
  items === undefined ? error !== undefined : items.length > 0

/** Decisions about the user's chat messages, with appeals, and the user's reports. Nothing if there are none. */
export function ChatDecisions() {
  const decisions = useOwnDecisions()
  const reports = useOwnReports()
  const [appealed, setAppealed] = useState<OwnDecision | null>(null)
  return (
    <>
      {isShown(decisions) && (
        <SettingsSection title="Decisions about your messages" text="You can appeal once against each.">
          <ListPage
            list={decisions}
            loading="Loading decisions"
            skeleton={SKELETON}
            failed="Failed to load the decisions."
            empty={null}
          >
            {(items) => (
              <ul aria-label="Decisions about your messages" className="grid gap-4">
                {items.map((decision) => (
                  <li key={decision.id} className="grid gap-1 text-sm [overflow-wrap:anywhere]">
                    <Quote text={decision.message} />
                    <p>
                      {DECISION_LABELS[decision.decision]}{' '}
                      <span className="text-muted">{dayAndTime(Date.parse(decision.decidedAt))}</span>
                    </p>
                    {decision.reason !== null && <p>The moderator’s note: {decision.reason}</p>}
                    <Appeal decision={decision} onAppeal={() => setAppealed(decision)} />
                  </li>
                ))}
              </ul>
            )}
          </ListPage>
        </SettingsSection>
      )}
      {isShown(reports) && (
        <SettingsSection title="Your reports" text="Messages that you have reported to the moderators.">
          <ListPage
            list={reports}
            loading="Loading reports"
            skeleton={SKELETON}
            failed="Failed to load your reports."
            empty={null}
          >
            {(items) => (
              <ul aria-label="Your reports" className="grid gap-4">
                {items.map((report) => (
                  <li key={report.id} className="grid gap-1 text-sm [overflow-wrap:anywhere]">
                    <Quote text={report.message} />
                    <p>
                      {REPORT_LABELS[report.reason]}.{' '}
                      <strong>
                        {report.isHandled ? 'Handled by moderators.' : 'Waiting for moderators.'}
                      </strong>{' '}
                      <span className="text-muted">{dayAndTime(Date.parse(report.reportedAt))}</span>
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </ListPage>
        </SettingsSection>
      )}
      {appealed && (
        <AppealDialog decision={appealed} onSent={decisions.reload} onClose={() => setAppealed(null)} />
      )}
    </>
  )
}

function Quote({ text }: { text: string }) {
  return (
    <blockquote dir="auto" className="border-l-2 border-line pl-3 text-muted">
      {text}
    </blockquote>
  )
}

function Appeal({ decision, onAppeal }: { decision: OwnDecision; onAppeal: () => void }) {
  const { appeal } = decision
  if (appeal === null)
    return (
      <Button className="justify-self-start" onClick={onAppeal}>
        Appeal...
      </Button>
    )
  return (
    <p>
      Your appeal: {appeal.text}{' '}
      <strong>{appeal.outcome === null ? 'Waiting for moderators.' : OUTCOME_LABELS[appeal.outcome]}</strong>
    </p>
  )
}

function AppealDialog(props: { decision: OwnDecision; onSent: () => void; onClose: () => void }) {
  const { decision, onSent, onClose } = props
  const [text, setText] = useState('')
  const form = useForm({
    send: async () => {
      await api.call('POST /api/chat/decisions/:id/appeal', {
        params: { id: decision.id },
        body: { text: text.trim() },
      })
      onSent()
      toast({ title: 'Appeal sent', description: 'A moderator looks at it again.', tone: 'success' })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Appeal not sent', text: 'The appeal could not be sent.' }),
  })
  return (
    <Dialog title="Appeal against this decision" isOpen onClose={onClose} width="narrow">
      <Form form={form} className="grid gap-5">
        <Quote text={decision.message} />
        <TextArea
          label="Why should it be decided differently?"
          rows={4}
          required
          maxLength={CASE_TEXT_MAX}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Sending..." disabled={text.trim() === ''}>
            Send appeal
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
