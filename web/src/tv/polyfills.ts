// What Chromium 87 lacks of the interfaces that the page's code uses. `web/scripts/old-browsers.ts` finds others.
export {}
