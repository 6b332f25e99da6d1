import './styles/app.css'
import './lib/shell-picture.ts'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { allowStyles } from './lib/browser/style-nonce.ts'
import { recordEarlyKeys } from './lib/remote/early-keys.ts'
import { showRememberedTheme } from './lib/theme/remembered-theme.ts'

recordEarlyKeys()
allowStyles()
showRememberedTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
// As a transition, rendering is interruptible, so that a slow phone stays responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
