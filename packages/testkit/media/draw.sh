#!/usr/bin/env bash
# Draws ten-minutes.mp4, what the fake YouTube plays where a clip that begins again would not do: a dot that swings on
# a dark ground, with silence. 320x180, 25 frames/s, H.264 + AAC, index at the front. Wants Debian's ffmpeg.
set -euo pipefail

ffmpeg -y -v error \
  -f lavfi -i 'color=0x26152f:s=320x180:r=25' -f lavfi -i 'color=0xff9d76:s=24x24:r=25' \
  -f lavfi -i 'anullsrc=r=16000:cl=mono' \
  -filter_complex "[0][1]overlay=x='148+120*sin(PI*t/4)':y=78:eval=frame,format=yuv420p[v]" \
  -map '[v]' -map 2:a -t 600 \
  -c:v libx264 -profile:v high -preset slower -tune animation -crf 36 -g 250 -threads 1 \
  -c:a aac -b:a 8k -movflags +faststart -fflags +bitexact -flags:v +bitexact -map_metadata -1 \
  "$(dirname "$0")/ten-minutes.mp4"
