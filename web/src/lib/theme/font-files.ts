import lato400 from '@fontsource/lato/files/lato-latin-400-normal.woff2?url'
import lato700 from '@fontsource/lato/files/lato-latin-700-normal.woff2?url'
import poppins400 from '@fontsource/poppins/files/poppins-latin-400-normal.woff2?url'
import poppins600 from '@fontsource/poppins/files/poppins-latin-600-normal.woff2?url'
import poppins700 from '@fontsource/poppins/files/poppins-latin-700-normal.woff2?url'
import ubuntu400 from '@fontsource/ubuntu/files/ubuntu-latin-400-normal.woff2?url'
import ubuntu500 from '@fontsource/ubuntu/files/ubuntu-latin-500-normal.woff2?url'
import ubuntu700 from '@fontsource/ubuntu/files/ubuntu-latin-700-normal.woff2?url'
import dancingScript from '@fontsource-variable/dancing-script/files/dancing-script-latin-wght-normal.woff2?url'
import merriweather from '@fontsource-variable/merriweather/files/merriweather-latin-wght-normal.woff2?url'
import montserrat from '@fontsource-variable/montserrat/files/montserrat-latin-wght-normal.woff2?url'
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2?url'
import openSans from '@fontsource-variable/open-sans/files/open-sans-latin-wght-normal.woff2?url'
import oswald from '@fontsource-variable/oswald/files/oswald-latin-wght-normal.woff2?url'
import playfairDisplay from '@fontsource-variable/playfair-display/files/playfair-display-latin-wght-normal.woff2?url'
import raleway from '@fontsource-variable/raleway/files/raleway-latin-wght-normal.woff2?url'
import roboto from '@fontsource-variable/roboto/files/roboto-latin-wght-normal.woff2?url'
import sourceSans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { ThemeBody } from '@looptide/contracts/http/themes'
import type { FontFile } from './font-file.ts'

const file = (url: string, weight: string): FontFile => ({ url, weight })

/** The files of every font but Inter, which is in the style sheet: URLs and the weights in each file. */
export const FONT_FILES: Record<Exclude<ThemeBody['fontFamily'], 'Inter'>, readonly FontFile[]> = {
  Roboto: [file(roboto, '100 900')],
  'Open Sans': [file(openSans, '300 800')],
  Lato: [file(lato400, '400'), file(lato700, '700')],
  Montserrat: [file(montserrat, '100 900')],
  Poppins: [file(poppins400, '400'), file(poppins600, '600'), file(poppins700, '700')],
  'Source Sans Pro': [file(sourceSans, '200 900')],
  Nunito: [file(nunito, '200 1000')],
  Raleway: [file(raleway, '100 900')],
  Ubuntu: [file(ubuntu400, '400'), file(ubuntu500, '500'), file(ubuntu700, '700')],
  'Playfair Display': [file(playfairDisplay, '400 900')],
  Merriweather: [file(merriweather, '300 900')],
  Oswald: [file(oswald, '200 700')],
  'Dancing Script': [file(dancingScript, '400 700')],
}
