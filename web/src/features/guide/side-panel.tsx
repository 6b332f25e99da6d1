import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { isolatedNames } from '../../ui/isolated-names.tsx'
import { useDismissal } from '../../ui/use-dismissal.ts'

const PANEL = '[data-panel]'
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)'

/** Whether the focus is in the panel. */
export const hasPanelFocus = (): boolean => Boolean(document.activeElement?.closest(PANEL))

/** Focuses the current item of a part of the panel, or its first control, or the panel's buttons. */
export function focusFirst(part: HTMLElement | null): void {
  const controls = [...(part?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
  const current = part?.querySelector<HTMLElement>('[aria-current] button')
  const first = [current, ...controls].find((control) => control?.checkVisibility())
  const outer = part?.closest(PANEL)?.querySelector<HTMLElement>(CONTROLS)
  ;(first ?? outer)?.focus({ preventScroll: true })
}

/**
 * Lets Escape and Back close a part of the panel while it is shown. It takes the focus when it appears; afterwards the
 * focus returns to where it was.
 */
export function usePanelPart(part: RefObject<HTMLElement | null>, onClose: () => void): void {
  useDismissal(true, onClose)
  const opener = useRef<Element>(null)
  // Layout effects run before the part can be used.
  useLayoutEffect(() => {
    opener.current = document.activeElement
    focusFirst(part.current)
  }, [part])
  // Not a layout effect: what was behind the part is still hidden then.
  useEffect(
    () => () => {
      // Unless another part has taken the focus.
      if (hasPanelFocus()) return
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
    [],
  )
}

/**
 * The panel of the guide: at its side, on small screens over what is below or beside the picture. `onBack` leads to what
 * the panel showed before.
 */
export function SidePanel(props: {
  title: string
  description?: string | undefined
  onClose: () => void
  onBack?: (() => void) | undefined
  children: ReactNode
}) {
  const titleId = useId()
  const body = useRef<HTMLDivElement>(null)
  usePanelPart(body, props.onClose)
  return (
    <section
      data-panel
      aria-labelledby={titleId}
      className="absolute inset-0 z-20 flex animate-rise flex-col border-line bg-panel guide-picture:top-[calc(var(--guide-picture-top)+var(--guide-picture-height))] guide-side:top-0 guide-side:left-(--guide-picture-width) guide-side:border-l guide-wide:top-0 guide-wide:left-auto guide-wide:w-96 guide-wide:border-l guide-wide:shadow-lift lg:guide-wide:static lg:guide-wide:w-[26rem] lg:guide-wide:shrink-0 lg:guide-wide:shadow-none tv:w-[30rem]"
    >
      <div className="flex items-start gap-1 border-b border-line py-3 pr-2 pl-5">
        {props.onBack && <IconButton icon="back" label="Back" className="-ml-3" onClick={props.onBack} />}
        <div className="min-w-0 flex-1 py-1.5">
          <h2 id={titleId} className="text-xl leading-tight font-semibold wrap-anywhere tv:text-2xl">
            {isolatedNames(props.title)}
          </h2>
          {props.description && (
            <p className="mt-1 text-base text-muted tv:text-xl">{isolatedNames(props.description)}</p>
          )}
        </div>
        <IconButton icon="close" label="Close" onClick={props.onClose} />
      </div>
      <div ref={body} className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-5">
        {props.children}
      </div>
    </section>
  )
}
