#!/usr/bin/env bash
# Draws the eight clips of the Test Card channel into web/public/test-card/ with ffmpeg alone (Debian's package:
# librsvg for the cards, libfreetype for the clock, DejaVu fonts, libx264, aac). Run it again after a change:
#   infra/media/make-test-cards.sh [number]
# Each clip: 640x360, 25 frames/s, H.264 yuv420p + AAC, index at the front, at most 400 kB; a card of its own,
# its title, a clock of the media's own time (minutes, seconds, frames), a dot that turns once in two seconds, and
# a quiet melody. Beside it a thumbnail of 480x270, from two seconds into the clip.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/web/public/test-card
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
mono=/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf

# number|file|title|artist|seconds|accent|plate x|plate y|base Hz|step s|stride|turn
cards='
1|colour-bars|Colour Bars|Looptide Test Card|48|#f2c14e|40|176|220.00|0.50|2|1
2|circle|The Circle|Looptide Engineering|52|#7fd1c7|312|110|196.00|0.60|3|2
3|crosshatch|Crosshatch|Looptide Night Shift|45|#e58fb1|176|114|261.63|0.40|1|3
4|grey-steps|Grey Steps|Looptide Line-Up|56|#cfd6e4|40|26|174.61|0.75|4|1
5|rings|Rings|Looptide Engineering|50|#8fb4ff|40|110|233.08|0.45|3|1
6|horizon|Horizon|Looptide Night Shift|44|#ff9d76|176|30|207.65|0.55|2|3
7|spectrum|Spectrum|Looptide Line-Up|42|#b79cff|176|114|246.94|0.35|4|3
8|diamonds|Diamonds|Looptide Test Card|54|#8ee08a|312|110|185.00|0.65|1|2
'

# The motif of card $1 in accent $2, as SVG over a dark ground.
motif() {
  local accent=$2 x
  case $1 in
  1)
    local colours=(c9c9c9 c4b83a 35b3b8 38a84f b045b4 b93a43 3a4cc0) index=0
    for colour in "${colours[@]}"; do
      echo "<rect x='$((index * 640 / 7))' width='92' height='132' fill='#$colour'/>"
      index=$((index + 1))
    done
    echo "<rect y='132' width='640' height='14' fill='#11151d'/><rect y='132' width='320' height='14' fill='$accent' opacity='.85'/>"
    ;;
  2)
    echo "<g fill='none' stroke='$accent' stroke-width='2'><g opacity='.22'>"
    for x in $(seq 4 36 300); do echo "<path d='M$x 0V360'/>"; done
    for x in $(seq 0 36 360); do echo "<path d='M0 ${x}H300'/>"; done
    echo "</g><circle cx='148' cy='180' r='128' stroke-width='5'/><circle cx='148' cy='180' r='84' opacity='.6'/>
      <circle cx='148' cy='180' r='40' opacity='.4'/><path d='M8 180H288M148 40V320' opacity='.8'/></g>
      <circle cx='148' cy='180' r='9' fill='$accent'/>"
    ;;
  3)
    echo "<g stroke='$accent' opacity='.38'>"
    for x in $(seq 20 40 640); do echo "<path d='M$x 0V360'/>"; done
    for x in $(seq 20 40 360); do echo "<path d='M0 ${x}H640'/>"; done
    echo "</g><g fill='$accent'><circle cx='20' cy='20' r='5'/><circle cx='620' cy='20' r='5'/>
      <circle cx='20' cy='340' r='5'/><circle cx='620' cy='340' r='5'/></g>
      <g fill='none' stroke='$accent' stroke-width='3'><path d='M60 20H20V60M580 20H620V60M60 340H20V300M580 340H620V300'/></g>"
    ;;
  4)
    for x in 0 1 2 3 4 5 6 7 8 9; do
      local level=$((18 + x * 24))
      echo "<rect x='$((x * 64))' y='196' width='64' height='82' fill='rgb($level,$level,$((level + 3)))'/>
        <rect x='$((576 - x * 64))' y='278' width='64' height='82' fill='rgb($level,$level,$((level + 3)))'/>"
    done
    ;;
  5)
    echo "<g fill='none' stroke='$accent'>"
    for x in 18 44 70 96 122 148 174; do
      echo "<circle cx='474' cy='180' r='$x' stroke-width='$((14 - x / 16))' opacity='.$((92 - x / 3))'/>"
    done
    echo "</g>"
    ;;
  6)
    echo "<rect width='640' height='80' fill='#141024'/><rect y='80' width='640' height='80' fill='#26152f'/>
      <rect y='160' width='640' height='76' fill='#37193a'/><circle cx='320' cy='206' r='104' fill='#ff8f7d'/>
      <circle cx='320' cy='206' r='84' fill='#ffb07f'/>
      <g fill='#37193a'><rect y='196' width='640' height='5'/><rect y='214' width='640' height='8'/></g>
      <rect y='232' width='640' height='128' fill='#120d1c'/><g stroke='$accent' stroke-width='2' opacity='.55'>"
    for x in $(seq -640 80 1280); do echo "<path d='M$((320 + (x - 320) / 5)) 232L$x 360'/>"; done
    for x in 232 242 258 284 322; do echo "<path d='M0 ${x}H640'/>"; done
    echo "</g>"
    ;;
  7)
    for x in $(seq 0 31); do
      echo "<rect x='$((x * 20))' width='17' height='92' fill='hsl($((x * 360 / 32)),58%,56%)'/>
        <rect x='$((x * 20))' y='268' width='17' height='92' fill='hsl($(((32 - x) * 360 / 32)),42%,34%)'/>"
    done
    ;;
  8)
    echo "<g fill='$accent'>"
    local y
    for y in 0 1 2 3 4; do
      for x in 0 1 2 3; do
        local cx=$((x * 72 + 36)) cy=$((y * 72 + 36))
        echo "<path d='M$cx $((cy - 32))L$((cx + 32)) ${cy}L$cx $((cy + 32))L$((cx - 32)) ${cy}Z' opacity='0.$((15 + (x * 3 + y * 5) % 8 * 10))'/>"
      done
    done
    echo "</g>"
    ;;
  esac
}

# Pentatonic melody: step $2 s, every step the scale is climbed by $3 places, shifted by $4 every eight steps.
melody() {
  local base=$1 step=$2 stride=$3 turn=$4
  local note="mod(floor(t/$step)*$stride+floor(t/($step*8))*$turn,5)"
  local semitones="(2*eq($note,1)+4*eq($note,2)+7*eq($note,3)+9*eq($note,4))"
  local since="mod(t,$step)"
  local hz="$base*pow(2,$semitones/12)"
  local bell="(1-exp(-90*$since))*exp(-4.5*$since/$step)*(sin(2*PI*$hz*$since)+0.3*sin(4*PI*$hz*$since))"
  local pad="(0.6+0.4*sin(2*PI*t/8))*(sin(PI*$base*t)+0.7*sin(PI*$base*1.5*t))"
  echo "0.16*$bell+0.05*$pad"
}

draw() {
  local number=$1 file=$2 title=$3 artist=$4 seconds=$5 accent=$6 x=$7 y=$8 base=$9 step=${10} stride=${11} turn=${12}
  local svg="$work/$file.svg" dot="$work/dot.svg" bar="0x${accent#\#}"
  cat >"$svg" <<SVG
<svg xmlns='http://www.w3.org/2000/svg' width='640' height='360'>
<rect width='640' height='360' fill='#0b0e14'/>
$(motif "$number" "$accent")
<rect x='$x' y='$y' width='288' height='140' rx='12' fill='#090b10' opacity='.93'/>
<rect x='$x' y='$((y + 16))' width='4' height='108' fill='$accent'/>
<g font-family='DejaVu Sans' fill='#f4f6fb'>
<text x='$((x + 20))' y='$((y + 34))' font-size='22' font-weight='bold'>$title</text>
<text x='$((x + 20))' y='$((y + 56))' font-size='14' fill='$accent'>$artist</text></g>
<circle cx='$((x + 256))' cy='$((y + 34))' r='16' fill='none' stroke='#2b3240' stroke-width='3'/>
</svg>
SVG
  echo "<svg xmlns='http://www.w3.org/2000/svg' width='12' height='12'><circle cx='6' cy='6' r='6' fill='$accent'/></svg>" >"$dot"
  local time="%{eif\\:floor(t/60)\\:d\\:2}\\:%{eif\\:mod(floor(t+0.001)\\,60)\\:d\\:2}"
  local frames=".%{eif\\:mod(n\\,25)\\:d\\:2}"
  local sound="$work/sound.m4a" quality bytes
  ffmpeg -y -v error -f lavfi -i "aevalsrc='$(melody "$base" "$step" "$stride" "$turn")':s=24000" \
    -af "afade=t=in:d=0.6,afade=t=out:st=$((seconds - 2)):d=2" -t "$seconds" -c:a aac -b:a 24k -ac 1 "$sound"
  # The best quality that fits.
  for quality in 27 30 33 36; do
    ffmpeg -y -v error \
      -loop 1 -framerate 25 -i "$svg" -loop 1 -framerate 25 -i "$dot" \
      -f lavfi -i "color=$bar:s=640x5:r=25" -i "$sound" \
      -filter_complex "
        [0][1]overlay=x='$((x + 250))+16*sin(PI*t)':y='$((y + 28))-16*cos(PI*t)':eval=frame[a];
        [a][2]overlay=x='-w+w*t/$seconds':y=355:eval=frame[b];
        [b]drawtext=fontfile=$mono:fontsize=60:fontcolor=0xf4f6fb:x=$((x + 18)):y=$((y + 76)):text='$time',
        drawtext=fontfile=$mono:fontsize=34:fontcolor=$bar:x=$((x + 200)):y=$((y + 96)):text='$frames',
        format=yuv420p[v]" \
      -map '[v]' -map 3:a -t "$seconds" \
      -c:v libx264 -profile:v high -preset slower -tune animation -crf "$quality" -g 150 -threads 1 \
      -c:a copy -movflags +faststart -fflags +bitexact -flags:v +bitexact -map_metadata -1 "$out/$file.mp4"
    bytes=$(stat -c %s "$out/$file.mp4")
    [ "$bytes" -gt 400000 ] || break
  done
  ffmpeg -y -v error -ss 2 -i "$out/$file.mp4" -frames:v 1 -vf scale=480:-2 -q:v 6 "$out/$file.jpg"
  echo "$file.mp4 $((bytes / 1000)) kB, quality $quality" >&2
  [ "$bytes" -le 400000 ] || { echo "$file.mp4 is larger than 400 kB" >&2; exit 1; }
}

# One line of index.json; the length is what ffprobe finds in the picture's stream.
entry() {
  local file=$1 title=$2 artist=$3 seconds
  seconds=$(ffprobe -v error -select_streams v:0 -show_entries stream=duration -of csv=p=0 "$out/$file.mp4")
  printf '  { "file": "%s.mp4", "title": "%s", "artistName": "%s", "durationMs": %.0f }' \
    "$file" "$title" "$artist" "$(echo "$seconds" | awk '{ print $1 * 1000 }')"
}

only=${1:-}
while IFS='|' read -r number file rest; do
  [ -n "$number" ] || continue
  if [ -z "$only" ] || [ "$only" = "$number" ]; then
    IFS='|' read -r title artist seconds accent x y base step stride turn <<<"$rest"
    draw "$number" "$file" "$title" "$artist" "$seconds" "$accent" "$x" "$y" "$base" "$step" "$stride" "$turn" </dev/null
  fi
done <<<"$cards"

{
  echo '['
  first=1
  while IFS='|' read -r number file title artist _; do
    [ -n "$number" ] || continue
    [ "$first" = 1 ] || echo ','
    first=0
    entry "$file" "$title" "$artist" </dev/null
  done <<<"$cards"
  printf '\n]\n'
} >"$out/index.json"
