import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { Toaster as SonnerToaster, toast as sonner } from 'sonner'
import { useMediaQuery } from '../lib/use-media-query.ts'
import { showToastsWith } from './toast.ts'

/**
 * Where toasts appear: above dialogs, which lie outside the app’s own part of the page. On a phone they cover the header,
 * elsewhere a corner above the chat's message form: neither tabs nor forms. Loaded after the first paint, see app-shell.
 */
export function Toaster() {
  const isPhone = useMediaQuery('(max-width: 600px)')
  useEffect(
    () =>
      showToastsWith({
        show: ({ id, title, description, tone, durationMs, action }) => {
          const options = {
            id,
            description,
            duration: durationMs,
            ...(action && { action: { label: action.label, onClick: action.onPress } }),
          }
          if (tone === 'error') sonner.error(title, options)
          else if (tone === 'success') sonner.success(title, options)
          else sonner(title, options)
        },
        hide: (id) => sonner.dismiss(id),
      }),
    [],
  )
  return createPortal(
    <SonnerToaster
      position={isPhone ? 'top-center' : 'bottom-right'}
      offset={{ bottom: '5.5rem' }}
      mobileOffset={{ top: '0.5rem' }}
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
    />,
    document.body,
  )
}
