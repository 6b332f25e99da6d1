import { Close, Content, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { dialogFocus } from './dialog-focus.ts'
import { useDismissal } from './use-dismissal.ts'

/** A modal dialog filled by a video: dark in every theme, and as large as the window allows. */
export function MediaDialog(props: {
  /** The accessible name; not visible. */
  title: string
  isFullscreen: boolean
  initialFocus: RefObject<HTMLElement | null>
  onClose: () => void
  /** Moves the focus after closing. */
  onClosed: () => void
  children: ReactNode
}) {
  const dismissal = useDismissal(true, props.onClose)
  return (
    <Root open onOpenChange={(open) => open || props.onClose()}>
      <Portal>
        <Overlay {...dismissal.overlay} className="fixed inset-0 z-50 animate-fade bg-black/90" />
        <Content
          aria-describedby={undefined}
          {...dialogFocus(props.initialFocus, props.onClosed)}
          {...dismissal.content}
          className={classNames(
            'dark-surface fixed z-50 m-auto animate-fade overflow-hidden bg-panel shadow-lift',
            props.isFullscreen
              ? 'inset-0'
              : 'inset-x-0 inset-y-0 h-fit w-full max-w-[min(80rem,calc((100dvh-6rem)*16/9))] sm:rounded-lg',
          )}
        >
          <Title className="sr-only">{props.title}</Title>
          {props.children}
        </Content>
      </Portal>
    </Root>
  )
}

/** The button that closes the dialog it is in. */
export function DialogClose() {
  return (
    <Close asChild>
      <IconButton icon="close" label="Close" />
    </Close>
  )
}
