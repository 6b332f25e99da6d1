import { type FocusEvent, useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Toaster as SonnerToaster, toast as sonner } from 'sonner'
import { isolatedNames } from './isolated-names.tsx'
import { showToastsWith } from './toast.ts'

/**
 * Renders toasts in the body, above dialogs. On a wide screen they cover the header beside its links, but neither
 * tabs nor forms. On a phone they are below the header, whose controls fill it. Loaded after the
 * first view, see `DeferredLayer`.
 */
export function Toaster() {
  const { list, returnFocus, ...passage } = useTabPassage()
  const press = useEffectEvent((act: () => void) => {
    act()
    returnFocus()
  })
  useEffect(
    () =>
      showToastsWith({
        show: ({ id, title, description, tone, durationMs, action }) => {
          const options = {
            id,
            description: description && isolatedNames(description),
            duration: durationMs,
            ...(action && { action: { label: action.label, onClick: () => press(action.onPress) } }),
          }
          if (tone === 'error') sonner.error(isolatedNames(title), options)
          else if (tone === 'success') sonner.success(isolatedNames(title), options)
          else sonner(isolatedNames(title), options)
        },
        hide: (id) => sonner.dismiss(id),
      }),
    [],
  )
  return createPortal(
    <div ref={list} {...passage}>
      <SonnerToaster
        position="top-center"
        offset={{ top: '0.5rem' }}
        mobileOffset={{ top: 'calc(4.5rem + env(safe-area-inset-top))' }}
        containerAriaLabel="Messages"
        style={{ fontFamily: 'var(--font-sans)' }}
        toastOptions={{
          style: {
            background: 'var(--theme-raised)',
            color: 'var(--theme-text)',
            border: '1px solid var(--theme-line)',
            borderRadius: 'var(--theme-radius)',
          },
          actionButtonStyle: {
            background: 'var(--theme-primary)',
            color: 'var(--theme-on-primary)',
            borderRadius: 'calc(var(--theme-radius) * 0.5)',
            height: '2.25rem',
            paddingInline: '0.75rem',
            fontWeight: 600,
          },
          classNames: {
            description: 'text-muted!',
            error: 'border-l-4! border-l-danger! [&_[data-icon]]:text-danger',
            success: 'border-l-4! border-l-success! [&_[data-icon]]:text-success',
          },
        }}
      />
    </div>,
    document.body,
  )
}

/**
 * Lets Tab leave the toasts. sonner moves the focus back to where it came from whenever it leaves the list, which
 * would trap the keyboard between a toast and the control before it. `returnFocus` moves the focus from a toast, which its
 * action removes, to where it came from.
 */
function useTabPassage() {
  const list = useRef<HTMLDivElement>(null)
  const origin = useRef<HTMLElement>(undefined)
  const isInside = ({ currentTarget, relatedTarget }: FocusEvent) =>
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
  return {
    list,
    returnFocus: () => {
      if (!list.current?.contains(document.activeElement)) return
      const from = origin.current
      const target = from?.isConnected ? from : document.querySelector<HTMLElement>('main')
      if (target?.tagName === 'MAIN') target.tabIndex = -1
      target?.focus({ preventScroll: true })
    },
    onFocusCapture: (event: FocusEvent) => {
      const { relatedTarget } = event
      if (!isInside(event)) origin.current = relatedTarget instanceof HTMLElement ? relatedTarget : undefined
    },
    onBlurCapture: (event: FocusEvent) => {
      const element = origin.current
      if (element === undefined || isInside(event)) return
      // For the handler of sonner, which runs after this one, and after microtasks.
      element.focus = () => undefined
      setTimeout(() => Reflect.deleteProperty(element, 'focus'))
    },
  }
}
