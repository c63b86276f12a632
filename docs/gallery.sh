#!/usr/bin/env bash
# Runs every scene that comes with stiction and draws it into docs/gallery/; then writes docs/gallery.md.
#
#   docs/gallery.sh               everything; runs that are there already are kept
#   docs/gallery.sh stool flag    only these
#
# RUNS     where runs are kept [default: target/gallery]
# STICTION the command [default: built from here]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
runs=${RUNS:-target/gallery}
if [ -z "${STICTION:-}" ]; then
    cargo build --release --package stiction-cli
    STICTION=target/release/stiction
fi

# How each scene is drawn: options of `stiction render`. Scenes that are not named are drawn as they end.
options() {
    case $1 in
        ball_in_box) echo --time 0.1 --arrows velocity ;;
        ball_on_trampoline) echo --time 0.74 --color-by max_stretch ;;
        ball_spin) echo --time 0.36 --arrows velocity ;;
        ball_squish) echo --clip 'z<0' --color-by max_stretch ;;
        belt_drive) echo --time 1.12 --color-by speed ;;
        block_drag) echo --time 1.48 --color-by von_mises --arrows friction_force ;;
        block_slide) echo --time 5 --arrows friction_force --camera azimuth=20 ;;
        bowl_grasp) echo --camera elevation=12,azimuth=20 ;;
        cantilever) echo --color-by von_mises ;;
        catenary) echo --color-by max_stretch --camera azimuth=-25,elevation=15 ;;
        cloth_on_cylinder) echo --color-by contact_state --camera azimuth=60,elevation=25 ;;
        dragster_tyre) echo --camera azimuth=-50,elevation=12 ;;
        flag) echo --time 1.24 --camera fit=frame ;;
        free_fall) echo --time 0.24 --arrows velocity --camera fit=frame ;;
        garment) echo --time 0.28 --camera elevation=15,azimuth=20 ;;
        hanging_cloth) echo --time 1.2 --camera azimuth=15,elevation=10,fit=frame ;;
        hollow_ball) echo --clip 'z<0' --color-by von_mises ;;
        hoop_slide) echo --time 1.08 --clip 'y<0' --camera elevation=50 ;;
        membrane_inflation) echo --color-by max_stretch ;;
        pendulum) echo --time 1.24 --arrows velocity ;;
        picture_frame) echo --color-by max_stretch --time 1.6 --wireframe ;;
        pressurised_ball) echo --clip 'z<0' --color-by von_mises ;;
        shear_patch) echo --color-by max_stretch --wireframe ;;
        static_sag) echo --color-by max_stretch --wireframe ;;
        stool) echo --time 1.5 --color-by von_mises --arrows friction_force --camera fit=frame ;;
        stretch_patch) echo --color-by max_stretch --wireframe ;;
        tennis_ball) echo --time 0.0012 --clip 'z<0' --color-by von_mises ;;
        threshold_block) echo --color-by contact_state --arrows friction_force ;;
        threshold_cloth) echo --color-by contact_state --wireframe ;;
        tube_cloth) echo --time 0.75 --camera azimuth=20 ;;
        twisting_bar) echo --time 1.5 --color-by max_stretch ;;
        *) ;;
    esac
}

mkdir -p docs/gallery "$runs"
scenes=("$@")
if [ ${#scenes[@]} -eq 0 ]; then
    mapfile -t scenes < <("$STICTION" scenes --json | sed -n 's/.*"name":"\([^"]*\)".*/\1/p')
fi
for scene in "${scenes[@]}"; do
    if [ ! -f "$runs/$scene/report.json" ]; then
        "$STICTION" run "$scene" --quiet --force --out "$runs/$scene"
    fi
    # shellcheck disable=SC2046 # options are words
    "$STICTION" render "$runs/$scene" --quiet --small --size 960x540 --out "docs/gallery/$scene.png" $(options "$scene")
done
