import './styles/app.css'
import './lib/shell-picture.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadPage } from './app/app-routes.tsx'
import { allowStyles } from './lib/browser/style-nonce.ts'
import { recordEarlyKeys } from './lib/remote/early-keys.ts'
import { showRememberedTheme } from './lib/theme/remembered-theme.ts'

recordEarlyKeys()
allowStyles()
showRememberedTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
// Parts that are not loaded when they are first rendered would be shown one after another, with a pause before each.
void preloadPage(window.location.pathname).then(() =>
  // As a transition, rendering is interruptible, so that a slow phone stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  ),
)
