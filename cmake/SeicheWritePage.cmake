# cmake -DPROGRAM=seiche -DWHAT=man -DOUTPUT=seiche.1 [-DGZIP=gzip] -P SeicheWritePage.cmake: what a program says of
# itself, as a file.
execute_process(
  COMMAND "${PROGRAM}" --generate "${WHAT}"
  OUTPUT_FILE "${OUTPUT}"
  RESULT_VARIABLE failed)
if(failed)
  file(REMOVE "${OUTPUT}")
  message(FATAL_ERROR "${PROGRAM} --generate ${WHAT}: ${failed}")
endif()
if(GZIP)
  execute_process(COMMAND "${GZIP}" -9nkf "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
endif()
