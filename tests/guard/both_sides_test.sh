#!/bin/sh
# both_sides_test.sh PLAN_GUARD FOLDER: what --write wrote is what --compare finds, until one text is another.
set -eu
guard=$1 folder=$2
rm -rf "$folder"
"$guard" --write "$folder" --problem 2001 --problem 2003
"$guard" --compare "$folder"
text=$(find "$folder/2003" -name '*.choices.txt')
sed 's/^axis .*/axis of another plan/' "$text" >"$text.changed"
mv "$text.changed" "$text"
if shown=$("$guard" --compare "$folder"); then
    echo "a difference was not found" >&2
    exit 1
fi
echo "$shown" | grep -q '^-axis of another plan$'
echo "$shown" | grep -q '^1 texts of 2 problems differ$'
