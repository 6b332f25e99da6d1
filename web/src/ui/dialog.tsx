import { Close, Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { dialogFocus } from './dialog-focus.ts'
import { isolatedNames } from './isolated-names.tsx'
import { useDismissal } from './use-dismissal.ts'

const WIDTHS = {
  narrow: 'max-w-md',
  medium: 'max-w-2xl',
  wide: 'max-w-6xl',
} as const

/** A modal dialog: it traps the focus and restores it on closing. */
export function Dialog(props: {
  title: string
  description?: string
  isOpen: boolean
  onClose: () => void
  width?: keyof typeof WIDTHS
  /** The element focused first; by default the first field or control of the content. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Moves the focus after closing; by default it returns to the element focused before. */
  onClosed?: () => void
  children: ReactNode
}) {
  const dismissal = useDismissal(props.isOpen, props.onClose)
  return (
    <Root open={props.isOpen} onOpenChange={(open) => open || props.onClose()}>
      <Portal>
        <Overlay {...dismissal.overlay} className="fixed inset-0 z-50 animate-fade bg-black/75" />
        <Content
          className={classNames(
            'fixed inset-x-0 bottom-0 z-50 mx-auto flex w-full animate-rise flex-col overflow-hidden',
            'rounded-t-lg border border-line bg-panel shadow-lift sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-lg',
            'max-h-[88dvh]',
            WIDTHS[props.width ?? 'medium'],
          )}
          {...(props.description ? {} : { 'aria-describedby': undefined })}
          {...dialogFocus(props.initialFocus, props.onClosed)}
          {...dismissal.content}
        >
          <header className="flex items-start gap-4 border-b border-line px-5 py-4">
            <div className="min-w-0 flex-1">
              <Title className="text-xl font-semibold">{isolatedNames(props.title)}</Title>
              {props.description && (
                <Description className="mt-1 text-sm text-muted">
                  {isolatedNames(props.description)}
                </Description>
              )}
            </div>
            <Close asChild>
              <IconButton icon="close" label="Close" className="-my-1 -mr-2" />
            </Close>
          </header>
          <div className="scroll-pb-20 overflow-y-auto overscroll-contain px-5 py-5">{props.children}</div>
        </Content>
      </Portal>
    </Root>
  )
}
