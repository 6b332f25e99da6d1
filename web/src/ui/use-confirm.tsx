import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Question {
  title: string
  /** The label of the confirm button: the action, never "OK". */
  confirmLabel: string
  text: ReactNode
  /** A non-destructive alternative. */
  alternative?: { label: string; onChosen: () => void }
  /** Called after the dialog has closed. */
  onConfirm: () => unknown
}

/** Asks for confirmation of destructive actions. Render `confirmation`. */
export function useConfirm(): { confirm: (question: Question) => void; confirmation: ReactNode } {
  const [question, setQuestion] = useState<Question>()
  const alternative = question?.alternative
  const close = () => setQuestion(undefined)
  return {
    confirm: setQuestion,
    confirmation: question && (
      <ConfirmDialog
        title={question.title}
        confirmLabel={question.confirmLabel}
        onConfirm={() => {
          close()
          question.onConfirm()
        }}
        onCancel={close}
        alternative={
          alternative && {
            ...alternative,
            onChosen: () => {
              close()
              alternative.onChosen()
            },
          }
        }
      >
        {question.text}
      </ConfirmDialog>
    ),
  }
}
