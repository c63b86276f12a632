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
        arch) echo --time 0.7 --arrows normal_force ;;
        ball_in_box) echo --time 0.1 --arrows velocity ;;
        ball_on_trampoline) echo --time 0.74 --color-by von_mises ;;
        ball_spin) echo --time 0.36 --arrows velocity --camera fit=frame,zoom=0.8 ;;
        ball_squish) echo --clip 'z<0' --color-by von_mises ;;
        belt_drive) echo --time 1.12 --color-by speed ;;
        belt_pulleys) echo --color-by speed ;;
        block_drag) echo --time 1.48 --color-by von_mises --arrows friction_force ;;
        block_slide) echo --time 5 --color-by von_mises --arrows friction_force --camera azimuth=20 ;;
        bowl_grasp) echo --camera elevation=30,azimuth=75 ;;
        brick_wall) echo --time 0.24 --camera azimuth=35,elevation=20,fit=frame ;;
        cantilever) echo --color-by von_mises ;;
        card_house) echo --arrows friction_force ;;
        cannon_ball) echo --time 0.4 --camera fit=frame ;;
        catenary) echo --color-by von_mises --camera azimuth=-25,elevation=15 ;;
        cloth_on_cylinder) echo --color-by contact_state --camera azimuth=60,elevation=25 ;;
        domino_run) echo --time 0.4 --camera fit=frame ;;
        dragster_tyre) echo --camera azimuth=-50,elevation=12 ;;
        flag) echo --time 1.24 --camera fit=frame ;;
        free_fall) echo --time 0.24 --color-by speed --camera fit=frame,zoom=0.7 ;;
        garment) echo --time 0.28 --camera elevation=15,azimuth=20 ;;
        glass_lift) echo --color-by von_mises --camera fit=frame ;;
        gripper) echo --color-by von_mises --camera fit=frame ;;
        gyroscope) echo --time 0.7 --camera fit=frame ;;
        hanging_chain) echo --time 0.6 --color-by speed ;;
        hanging_cloth) echo --time 1.2 --camera azimuth=15,elevation=10,fit=frame ;;
        logs_on_slope) echo --camera fit=frame ;;
        hollow_ball) echo --clip 'z<0' --color-by von_mises ;;
        hoop_slide) echo --time 0.1 --hide hoop --arrows velocity --wireframe --camera fit=frame,zoom=0.6 ;;
        hopper) echo --time 0.5 --hide front --hide back --camera fit=frame ;;
        marble_box) echo --hide front --hide right --camera elevation=35 ;;
        membrane_inflation) echo --color-by von_mises ;;
        pendulum) echo --time 1.24 --color-by speed ;;
        picture_frame) echo --color-by von_mises --time 1.6 ;;
        pressurised_ball) echo --clip 'z<0' --color-by von_mises ;;
        rigid_bowl) echo --color-by von_mises --camera elevation=30,azimuth=75,fit=frame ;;
        rolling_ball) echo --time 0.4 --color-by speed --camera fit=frame,zoom=0.6 ;;
        sawtooth_cube) echo --arrows friction_force ;;
        shear_patch) echo --wireframe ;;
        spinning_brick) echo --time 3.5 --arrows velocity --camera fit=frame,zoom=0.8 ;;
        static_sag) echo --color-by von_mises --wireframe ;;
        stool) echo --time 1.5 --color-by von_mises --arrows friction_force --camera fit=frame ;;
        stretch_patch) echo --wireframe ;;
        tennis_ball) echo --time 0.0012 --clip 'z<0' --color-by von_mises ;;
        threshold_block) echo --color-by contact_state --arrows friction_force ;;
        threshold_cloth) echo --color-by contact_state --wireframe ;;
        tyre) echo --time 0.2 --color-by speed ;;
        tube_cloth) echo --time 0.75 ;;
        twisting_bar) echo --time 1.5 --color-by von_mises ;;
        *) ;;
    esac
}

# Which variant is drawn: options of `stiction run`. Of scenes that are not named, none.
variant() {
    case $1 in
        brick_wall) echo --variant hit ;;
        *) ;;
    esac
}

mkdir -p docs/gallery "$runs"
mapfile -t all < <("$STICTION" scenes --json | sed -n 's/.*"name":"\([^"]*\)".*/\1/p')
scenes=("$@")
if [ ${#scenes[@]} -eq 0 ]; then
    scenes=("${all[@]}")
fi
for scene in "${scenes[@]}"; do
    if [ ! -f "$runs/$scene/report.json" ]; then
        # shellcheck disable=SC2046 # options are words
        "$STICTION" run "$scene" --quiet --force --out "$runs/$scene" $(variant "$scene")
    fi
    # shellcheck disable=SC2046 # options are words
    "$STICTION" render "$runs/$scene" --quiet --size 800x450 --out "docs/gallery/$scene.png" $(options "$scene")
done

{
    cat << 'END'
# Gallery

Every scene that comes with `stiction`, as `stiction render` draws it; [render.md](render.md) says how. Made by
[gallery.sh](gallery.sh), which runs and draws them all again.
END
    for scene in "${all[@]}"; do
        about=$("$STICTION" scenes --json | sed -n "s/.*\"name\":\"$scene\".*\"description\":\"\([^\"]*\)\".*/\1/p")
        words=$(options "$scene" | sed "s/--clip \([^ ]*\)/--clip '\1'/")
        printf '\n## %s\n\n%s.\n\n![%s](gallery/%s.png)\n\n' "$scene" "$about" "$scene" "$scene"
        chosen=$(variant "$scene")
        printf '```console\n$ stiction run %s%s\n$ stiction render runs/%s%s\n```\n' \
            "$scene" "${chosen:+ $chosen}" "$scene" "${words:+ $words}"
    done
} > docs/gallery.md
